// Whether an engine's recorder gives any data at all, without our page: ten lines in an empty one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Tab } from './tab.ts';

/** Bytes that a bare page's recorder gives for two seconds of the engine's own test camera. */
export async function bytesOfBareRecorder(tab: Tab): Promise<number> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<p>bare</p>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await tab.go(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return await tab.run<number>(`(async () => {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 } });
      const recorder = new MediaRecorder(stream);
      let bytes = 0;
      recorder.ondataavailable = ({ data }) => { bytes += data.size; };
      const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
      recorder.start();
      setTimeout(() => recorder.stop(), 2_000);
      await stopped;
      stream.getTracks().forEach((track) => track.stop());
      return bytes;
    })()`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
