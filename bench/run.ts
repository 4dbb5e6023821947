// `npm run bench`: runs every measurement of this folder, one after another, and writes bench/RESULTS.md.
import { resolve } from 'node:path';
import { createLogger } from '../src/base/log.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded/server.ts';
import { newDataDir, removeDataDir, startService } from '../test/support/running-service.ts';
import { measureAnswerLatency } from './answer-latency.ts';
import { measureApiBesideJudgements } from './api-beside-judgements.ts';
import { measureCreates } from './creates.ts';
import { measureDeadReceivers } from './dead-receivers.ts';
import { measureDeliveries } from './deliveries.ts';
import { measureErasure } from './erasure.ts';
import { measureExpiry } from './expiry.ts';
import { measureFollows } from './follows.ts';
import { measureInstances } from './instances.ts';
import { measureJudgement } from './judgement.ts';
import { measureLinkToOutcome } from './link-to-outcome.ts';
import { measureMemory } from './memory.ts';
import { measureNetworks } from './networks.ts';
import { measurePickup } from './pickup.ts';
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
done(await measureFollows());
done(await measureAnswerLatency());
done(await measureLinkToOutcome());

// One PostgreSQL for the service and for the bare route.
const postgres = await startEmbeddedPostgres({
  dataDir,
  log: createLogger({ level: 'warn', process: 'bench' }),
});
try {
  const databaseUrl = postgres.connectionString;
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    LIVENESS_PROMPTS: 'smile,neutral',
  };
  const service = await startService({ dataDir, environment });
  const { url, credentials } = service;
  try {
    done(await measureMemory(service));
    done(await measureCreates({ url, apiKey: credentials.api_key, databaseUrl }));
    done(await measureApiBesideJudgements(service, databaseUrl));
  } finally {
    await service.stop();
  }
  done(await measurePickup(databaseUrl));
  // No other workers may run, because one is measured.
  done(await measureDeliveries({ databaseUrl, dataDir }));
  done(await measureDeadReceivers({ databaseUrl, dataDir }));
  done(await measureInstances(environment, databaseUrl, credentials));
  // Last, because they leave a hundred thousand deliveries and as many challenges behind.
  done(await measureExpiry(environment));
  for (const section of await measureErasure(environment)) done(section);
} finally {
  await postgres.stop();
  removeDataDir(dataDir);
}
process.stderr.write(`written to ${writeReport(sections)}\n`);
