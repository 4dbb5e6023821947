// Makes a folder of bona fide and attack footage, its scripts and manifest.csv, for `likeness bench pad`:
// node --import tsx bench/attacks/generate.ts [--faces DIR] [--out DIR] [--each N] [--seed TEXT] [--species a,b] [--part i/n]. Resumable.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadModels } from '../../src/models/load.ts';
import { findCast } from './cast.ts';
import { chanceOf } from './random.ts';
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
    /** i/n: only every n-th take, from the i-th on (0 ≤ i < n), so that several may run at once. */
    part: { type: 'string', default: '0/1' },
    models: { type: 'string', default: 'build/models' },
  },
});
const [root, outDir] = [resolve(values.faces), resolve(values.out)];
mkdirSync(outDir, { recursive: true });
const only = new Set(values.species.split(',').filter(Boolean));
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const sources = findSources(root);
const cast = await findCast(models, root, sources, outDir);
await models.close();
process.stderr.write(`${cast.actors.length} persons, ${cast.smiling.length} of them with a smile\n`);

const studio = new Studio(root, outDir, cast, sources);
const wanted = SPECIES.filter(({ name }) => only.size === 0 || only.has(name));
// One of each in turn, so that a run that is stopped has some of all.
const [part, parts] = values.part.split('/').map(Number) as [number, number];
for (let take = part; take < Number(values.each); take += parts) {
  for (const species of wanted) {
    const chance = chanceOf(`${values.seed} ${species.name} ${take}`);
    await species.make(studio, take, chance);
  }
  // Now and not only at the end: a run that is stopped leaves a list of what is there.
  if (take % 10 < parts) studio.writeManifests();
  process.stderr.write(`take ${take + 1} of ${values.each}\n`);
}
studio.writeManifests();
