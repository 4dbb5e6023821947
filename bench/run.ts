// `npm run bench`: every measurement of this folder, one after another, into bench/RESULTS.md.
import { resolve } from 'node:path';
import { createLogger } from '../src/base/log.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded/server.ts';
import { newDataDir, removeDataDir, startService } from '../test/support/running-service.ts';
import { measureCreates } from './creates.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureFeatidComparison } from './featid-compare.ts';
import { measureJudgement } from './judgement.ts';
import { measureMemory } from './memory.ts';
import { measureNetworks } from './networks.ts';
import { render, type Section, writeReport } from './report.ts';

const modelsDir = resolve(import.meta.dirname, '..', 'build', 'models');
const dataDir = newDataDir();
const sections: Section[] = [];

function done(section: Section): void {
  sections.push(section);
  process.stderr.write(`\n${render(section)}\n`);
}

done(await measureJudgement(modelsDir));
done(await measureNetworks(modelsDir));

// One PostgreSQL for the service and for the bare route beside it.
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: createLogger({ level: 'warn', process: 'bench' }),
});
try {
  const service = await startService({
    dataDir,
    environment: {
      DATABASE_URL: postgres.connectionString,
      LOG_LEVEL: 'warn',
      CREATE_RATE_PER_MINUTE: '10000000',
      LIVENESS_PROMPTS: 'smile,neutral',
    },
  });
  const apiKey = service.credentials.api_key;
  done(await measureMemory(service));
  for (const section of await measureFeatidComparison(postgres.connectionString, modelsDir)) done(section);
  done(await measureCreates({ url: service.url, apiKey, databaseUrl: postgres.connectionString }));
  await service.stop();
  // Without other workers: one is measured.
  done(await measureDeliveries({ databaseUrl: postgres.connectionString, dataDir }));
} finally {
  await postgres.stop();
  removeDataDir(dataDir);
}
process.stderr.write(`written to ${writeReport(sections)}\n`);
