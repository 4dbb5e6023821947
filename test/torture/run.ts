// `npm run torture [-- --challenges N --kills N --judged N --captures N --kill-every-ms N --worker-share N --seconds N
// --state FOLDER]`: continues the folder's run until its goals are met, for at most the given seconds. Exits with 0 if nothing
// was lost, 1 if something was, and 3 if the run was interrupted and can be continued by the same command.
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HAS_FACES } from '../support/faces.ts';
import { renderReport } from './table.ts';
import { torture } from './torture.ts';
import { openTakes } from './videos.ts';

const SETTLE_MS = 600_000;
const UPLOAD_EXPIRY_SECONDS = 240;
const CUT = 3;

const { values } = parseArgs({
  options: {
    challenges: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '200' },
    judged: { type: 'string', default: '300' },
    captures: { type: 'string', default: '6' },
    'kill-every-ms': { type: 'string', default: '5000' },
    'worker-share': { type: 'string', default: '0.27' },
    seconds: { type: 'string', default: '7200' },
    state: { type: 'string', default: join(tmpdir(), 'likeness-torture') },
  },
});

const judged = HAS_FACES ? Number(values.judged) : 0;
if (!HAS_FACES) process.stderr.write('torture: FACES_DIR does not exist, so nothing will be judged\n');
const takes = HAS_FACES ? await openTakes() : null;
const outcome = await torture({
  folder: resolve(values.state),
  goals: { challenges: Number(values.challenges), kills: Number(values.kills), judged },
  killEveryMs: Number(values['kill-every-ms']),
  workerShare: Number(values['worker-share']),
  captures: Number(values.captures),
  uploadExpirySeconds: UPLOAD_EXPIRY_SECONDS,
  takes,
  loadMs: Number(values.seconds) * 1000,
  settleWithinMs: SETTLE_MS,
});
await takes?.remove();
if (outcome.status === 'cut') {
  process.stdout.write(`${renderReport(outcome, [])}\ninterrupted; run the same command to continue\n`);
  process.exitCode = CUT;
} else {
  process.stdout.write(`${renderReport(outcome, outcome.checks)}\n`);
  for (const { promise, broken } of outcome.checks) {
    for (const each of broken.slice(0, 20)) process.stdout.write(`broken: ${promise}: ${each}\n`);
  }
  if (!outcome.quiet)
    process.stdout.write('broken: work was still pending when the time to settle ran out\n');
  process.exitCode = outcome.quiet && outcome.checks.every(({ broken }) => broken.length === 0) ? 0 : 1;
}
