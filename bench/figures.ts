// `npm run figures`: writes the documents' figures anew, from the reports of this folder and the examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOCUMENTS, withFigures } from './figures/stated.ts';

for (const document of DOCUMENTS) {
  const file = resolve(import.meta.dirname, '..', document);
  writeFileSync(file, withFigures(document, readFileSync(file, 'utf8')));
}
