// `npm run bench:templates`: measures what protects a template, on LFW (FACES_DIR), and writes bench/TEMPLATES.md. If
// killed, it resumes with the photographs that have not been embedded yet.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { createLogger } from '../src/base/log.ts';
import { operatingPoint } from '../src/evaluation/recognition/operating-point.ts';
import { DEFAULT_PACK, readPack } from '../src/models/packs/read-pack.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded/server.ts';
import { migrateDatabase } from '../src/storage/postgres/migrate.ts';
import { newDataDir, removeDataDir } from '../test/support/running-service.ts';
import { render, type Section, writeReport } from './report.ts';
import { measureForgeries } from './templates/forgeries.ts';
import { readLfwFaces } from './templates/lfw-faces.ts';
import { measureLinkability } from './templates/linkability.ts';
import { measurePackingLoss } from './templates/packing-loss.ts';
import { measureRecovery } from './templates/recovery.ts';

const root = resolve(import.meta.dirname, '..');
const facesDir = resolve(root, process.env.FACES_DIR ?? '../shared/faces');
const modelsDir = resolve(root, 'build', 'models');
if (!existsSync(resolve(facesDir, 'pairs/pairs.csv'))) {
  process.stderr.write(
    `bench:templates needs LFW pairs in FACES_DIR; there is no pairs/pairs.csv in ${facesDir}\n`,
  );
  process.exit(2);
}

const sections: Section[] = [];
function done(section: Section): void {
  sections.push(section);
  process.stderr.write(`\n${render(section)}\n`);
}

const faces = await readLfwFaces(facesDir, modelsDir, resolve(root, 'build', 'bench', 'embeddings'));
done(measurePackingLoss(faces));
done(await measureLinkability(faces));
done(measureRecovery(faces, operatingPoint(readPack(DEFAULT_PACK, modelsDir), 1e-3)));
const dataDir = newDataDir();
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: createLogger({ level: 'warn', process: 'bench' }),
});
try {
  await migrateDatabase(postgres.connectionString);
  done(await measureForgeries(faces, postgres.connectionString));
} finally {
  await postgres.stop();
  removeDataDir(dataDir);
}
process.stderr.write(`written to ${writeReport(sections, 'TEMPLATES.md', 'npm run bench:templates')}\n`);
