// Judges one file in a process of its own, as a worker does, and prints a digest of the whole judgement.
// Usage: tsx judging-worker.ts MODELS_DIR VIDEO SCRIPT_AS_JSON
import type { Script } from '../../../src/contract/script.ts';
import { judge } from '../../../src/evaluation/judge.ts';
import { loadModels } from '../../../src/models/load.ts';
import { digestOf } from '../../evaluation/judgement-digest.ts';

const [modelsDir = '', video = '', script = 'null'] = process.argv.slice(2);
const models = await loadModels({ modelsDir, threads: 1 });
const judgement = await judge({ video, script: JSON.parse(script) as Script | null, references: [] }, models);
process.stdout.write(digestOf(judgement));
await models.close();
