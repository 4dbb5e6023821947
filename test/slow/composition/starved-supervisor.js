// For test/composition/worker-supervisor.test.ts: supervises one worker once it is told to, and prints its log.
import { once } from 'node:events';
import { superviseWorkers } from '../../../dist/composition/worker-supervisor.js';

const say = (fields, message) => console.log(JSON.stringify({ ...fields, err: fields.err?.code, message }));
say({}, 'here');
await once(process.stdin, 'data');
superviseWorkers({ count: 1, environment: {}, isStopping: () => false, log: { error: say } });
// Runs until it is killed.
setInterval(() => {}, 1_000);
