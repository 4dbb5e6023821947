// Measures what many requests to one upload cost the API: its memory, and how long its probe waits. `npx tsx
// bench/hostile-uploads.ts`.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { Agent, type Dispatcher, request } from 'undici';
import { TestApi } from '../test/support/api.ts';
import { PageClient, performedScript, slicesOf } from '../test/support/page-client.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { render } from './report.ts';

const VIDEO_BYTES = 19_900_000;
const CHUNK_BYTES = 512 * 1024;
const SAMPLE_MS = 50;

/** A link whose upload is complete except for its last chunk. */
interface Prepared {
  readonly url: string;
  readonly device: string;
  readonly captureId: string;
  readonly video: Buffer;
}

/** One request of an attack: bytes at an offset of one upload. */
interface Shot {
  readonly at: Prepared;
  readonly offset: number;
  readonly bytes: Buffer;
}

interface Attack {
  readonly name: string;
  readonly shots: readonly Shot[];
}

const lastOffset = Math.floor((VIDEO_BYTES - 1) / CHUNK_BYTES) * CHUNK_BYTES;
const lastChunk = (at: Prepared): Shot => ({ at, offset: lastOffset, bytes: at.video.subarray(lastOffset) });

async function prepare(api: TestApi): Promise<Prepared> {
  const { challenge_url: url } = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(url);
  await page.start();
  const issued = await page.issue();
  if (issued.status !== 201) throw new Error(`issue: ${issued.status} ${JSON.stringify(issued.body)}`);
  const captureId: string = issued.body.capture_id;
  const video = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), randomBytes(VIDEO_BYTES - 4)]);
  const script = performedScript(issued.body.script, 1000);
  const commit = { size_bytes: video.length, mime_type: 'video/webm', duration_ms: 6000, script };
  const slices = slicesOf(video, 0, 1).map(({ announcement }) => announcement);
  await page.call('POST', `/captures/${captureId}/slices`, { slices });
  await page.call('POST', `/captures/${captureId}/commit`, { ...commit, slices: slices.length });
  for (let offset = 0; offset < lastOffset; offset += CHUNK_BYTES) {
    const sent = await page.call(
      'PATCH',
      `/captures/${captureId}?offset=${offset}`,
      video.subarray(offset, Math.min(offset + CHUNK_BYTES, lastOffset)),
    );
    if (sent.status !== 200) throw new Error(`chunk: ${sent.status} ${JSON.stringify(sent.body)}`);
  }
  return { url, device: page.device!, captureId, video };
}

async function fire({ at, offset, bytes }: Shot, dispatcher: Dispatcher): Promise<string> {
  try {
    const answer = await request(`${at.url}/captures/${at.captureId}?offset=${offset}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/octet-stream', 'likeness-device': at.device },
      body: bytes,
      dispatcher,
    });
    const body = (await answer.body.json()) as { state?: string; conflict?: string };
    return `${answer.statusCode} ${body.state ?? body.conflict ?? ''}`.trim();
  } catch (error) {
    return `broken ${(error as { code?: string }).code ?? (error as Error).name}`;
  }
}

const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Polls /readyz on a separate thread, which the load does not hold up. */
function startProbe(url: string): { stop(): Promise<number> } {
  const program = `
    const { parentPort, workerData } = require('node:worker_threads');
    let running = true;
    parentPort.once('message', () => { running = false; });
    (async () => {
      let longest = 0;
      while (running) {
        const from = performance.now();
        await fetch(workerData.url).then((answer) => answer.text());
        longest = Math.max(longest, performance.now() - from);
        await new Promise((done) => setTimeout(done, workerData.pauseMs));
      }
      parentPort.postMessage(longest);
    })();`;
  const worker = new Worker(program, { eval: true, workerData: { url, pauseMs: SAMPLE_MS } });
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [longest] = await once(worker, 'message');
      await worker.terminate();
      return longest as number;
    },
  };
}

/** Sends every shot at once; samples memory and the probe until all are answered. */
async function measure(service: RunningService, attack: Attack) {
  const pid = service.process.pid!;
  const dispatcher = new Agent({ connections: null, headersTimeout: 120_000, bodyTimeout: 120_000 });
  const beforeMb = residentMb(pid);
  let peakMb = beforeMb;
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pid));
  }, SAMPLE_MS);
  const probe = startProbe(`${service.url}/readyz`);
  const from = performance.now();
  const answers = await Promise.all(attack.shots.map((shot) => fire(shot, dispatcher)));
  const tookMs = performance.now() - from;
  const waitedMs = await probe.stop();
  clearInterval(sampler);
  await dispatcher.destroy();
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const told = [...counts].map(([answer, count]) => `${count} × ${answer}`).join(', ');
  return [
    ...[attack.name, beforeMb.toFixed(0), peakMb.toFixed(0), waitedMs.toFixed(0)],
    ...[tookMs.toFixed(0), told],
  ];
}

const copies = (count: number, shot: Shot): Shot[] => Array.from({ length: count }, () => shot);

async function attacks(api: TestApi): Promise<Attack[]> {
  const one = await prepare(api);
  const many = await prepare(api);
  const fifty: Prepared[] = [];
  for (let link = 0; link < 50; link++) fifty.push(await prepare(api));
  const doubled = await prepare(api);
  const overlapping = (step: number): Shot[] =>
    Array.from({ length: 100 }, (_, index) => {
      const offset = Math.max(0, lastOffset - index * step);
      return { at: doubled, offset, bytes: doubled.video.subarray(offset, offset + CHUNK_BYTES) };
    });
  return [
    { name: '100 × the last chunk of one upload', shots: copies(100, lastChunk(one)) },
    { name: '500 × the last chunk of one upload', shots: copies(500, lastChunk(many)) },
    {
      name: '100 overlapping and 100 duplicate offsets of one upload',
      shots: [...overlapping(7919), ...overlapping(CHUNK_BYTES)],
    },
    {
      name: 'the last chunks of 50 uploads, 4 times each',
      shots: fifty.flatMap((at) => copies(4, lastChunk(at))),
    },
  ];
}

const environment = { LOG_LEVEL: 'warn' };
await withService(environment, async (service) => {
  const rows: string[][] = [];
  for (const attack of await attacks(new TestApi(service))) rows.push(await measure(service, attack));
  const section = {
    title: 'Many requests at one upload',
    method: `Uploads of ${VIDEO_BYTES / 1e6} MB that lack only their last chunk; then all requests at once. Resident memory of the API, and the longest response time of /readyz, requested ${1000 / SAMPLE_MS} times a second.`,
    columns: ['attack', 'RSS before, MB', 'peak RSS, MB', '/readyz max, ms', 'all answered, ms', 'answers'],
    rows,
  };
  process.stdout.write(`${render(section)}\n`);
});
