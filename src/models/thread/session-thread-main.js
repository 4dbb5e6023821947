// What runs on the second thread: opens and runs ONNX sessions for session-thread.ts. JavaScript, since Node starts it
// by itself, from the sources and from the build alike.
import { parentPort } from 'node:worker_threads';
import * as ort from 'onnxruntime-node';

/** @type {ort.InferenceSession[]} */
const sessions = [];

/** @param {import('./session-thread.ts').Request} request */
async function carryOut(request) {
  if ('open' in request) {
    sessions.push(await ort.InferenceSession.create(request.open.bytes, request.open.options));
    return { session: sessions.length - 1 };
  }
  const session = sessions[request.session];
  if (!session) throw new RangeError(`no session ${request.session}`);
  /** @type {Record<string, ort.Tensor>} */
  const feeds = {};
  for (const [name, { data, dims }] of Object.entries(request.feeds))
    feeds[name] = new ort.Tensor('float32', data, dims);
  const tensors = await session.run(feeds);
  /** @type {Record<string, Float32Array>} */
  const results = {};
  // Copies: the runtime's own memory cannot change its thread.
  for (const [name, tensor] of Object.entries(tensors))
    results[name] = Float32Array.from(/** @type {Float32Array} */ (tensor.data));
  return { results };
}

parentPort?.on('message', async (/** @type {import('./session-thread.ts').Request} */ request) => {
  try {
    parentPort?.postMessage({ id: request.id, ...(await carryOut(request)) });
  } catch (error) {
    parentPort?.postMessage({
      id: request.id,
      fault: error instanceof Error ? error.message : String(error),
    });
  }
});
