import * as ort from 'onnxruntime-node';
const s = await ort.InferenceSession.create(`/tmp/judge/models/mobilefacenet.onnx`, { intraOpNumThreads: 1, interOpNumThreads: 1 });
const mk = () => new ort.Tensor('float32', new Float32Array(2 * 3 * 112 * 112), [2, 3, 112, 112]);
await s.run({ input: mk() });
for (let k = 0; k < 3; k++) { let t = performance.now(); for (let i = 0; i < 10; i++) await s.run({ input: mk() }); const a = performance.now() - t; t = performance.now(); await Promise.all(Array.from({ length: 10 }, () => s.run({ input: mk() }))); console.log('sequential', a.toFixed(0), 'at once', (performance.now() - t).toFixed(0)); }
