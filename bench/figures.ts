// `npm run figures`: writes README's figures anew, from the reports of this folder and the examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withFigures } from './figures/readme.ts';

const file = resolve(import.meta.dirname, '..', 'README.md');
writeFileSync(file, withFigures(readFileSync(file, 'utf8')));
