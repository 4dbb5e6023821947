// Makes a folder of bona fide and attack footage with its scripts and manifest.csv, for `likeness bench pad`: node
// --import tsx bench/attacks/generate.ts [--faces DIR] [--out DIR] [--each N] [--seed TEXT] [--species a,b] [--part
// i/n]. Resumable.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '../../src/models/load.ts';
import { readPart, runInParts } from '../parts.ts';
import { findCast } from './cast.ts';
import { chanceOf } from './random.ts';
import { fresh } from './shots.ts';
import { findSources } from './sources.ts';
import { SPECIES } from './species.ts';
import { Studio } from './studio.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    out: { type: 'string', default: 'build/pad' },
    each: { type: 'string', default: '30' },
    seed: { type: 'string', default: 'likeness' },
    species: { type: 'string', default: '' },
    /** i/n: only every n-th take, from the i-th on (0 ≤ i < n). Without it every core gets a part. */
    part: { type: 'string', default: '' },
    models: { type: 'string', default: 'build/models' },
  },
});
const [root, outDir] = [resolve(values.faces), resolve(values.out)];
mkdirSync(outDir, { recursive: true });
const only = new Set(values.species.split(',').filter(Boolean));
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const sources = findSources(root);
const cast = await findCast(async () => models, root, sources, outDir);
if (values.part) await makeTakes(readPart(values.part));
else {
  process.stderr.write(`${cast.actors.length} persons, ${cast.smiling.length} of them with a smile\n`);
  await runInParts();
  newStudio().writeManifests();
}
await models.close();

function newStudio(): Studio {
  return new Studio(root, outDir, cast, sources, fresh, async () => models);
}

/** Makes one take of each species in turn, so that an interrupted run has some of each. */
async function makeTakes({ part, parts }: { part: number; parts: number }): Promise<void> {
  const studio = newStudio();
  const wanted = SPECIES.filter(({ name }) => only.size === 0 || only.has(name));
  for (let take = part; take < Number(values.each); take += parts) {
    for (const species of wanted) {
      const chance = chanceOf(`${values.seed} ${species.name} ${take}`);
      await species.make(studio, take, chance);
    }
    process.stderr.write(`take ${take + 1} of ${values.each}\n`);
  }
}
