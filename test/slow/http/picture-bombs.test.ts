// Logos that cost as much as a logo may, 12 at once: what everybody else of this process notices of them.
import { setTimeout } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';

const BOMBS = 12;
let rig: HttpRig;
let bombs: Buffer[];
let fetched = 0;
beforeAll(async () => {
  const flat = sharp({ create: { width: 4000, height: 4000, channels: 4, background: '#36a8' } });
  const small = await flat.clone().resize(100).png().toBuffer();
  const filter = '<filter id="f"><feTurbulence numOctaves="9"/><feGaussianBlur stdDeviation="99"/></filter>';
  const box = '<rect width="3000" height="3000" filter="url(#f)"/>';
  bombs = [
    Buffer.concat([small.subarray(0, 33), ...Array(18).fill(textChunk(50_000_000)), small.subarray(33)]),
    await flat.clone().png({ progressive: true }).toBuffer(),
    await flat.clone().avif({ effort: 0 }).toBuffer(),
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="3000">${filter}${box.repeat(500)}</svg>`,
    ),
  ];
  rig = await createHttpRig({ fetchImage: async () => bombs[fetched++ % bombs.length]! });
});
afterAll(() => rig?.close());

it('slow nobody down beyond twice, take no memory of this process, and the calls end', async () => {
  const flow_style = { logo_public_url: 'https://a.example/logo' };
  const links = await Promise.all(
    Array.from({ length: BOMBS + 1 }, () => rig.create({ liveness_only: true, flow_style })),
  );
  // The address was reviewed when the first of them was created.
  fetched = 0;
  const logo = (at: number) => rig.app.inject({ url: `${links[at]!.path}/logo` });
  // Finds the confinement, which takes some seconds once.
  await logo(BOMBS);
  const alone = await medianMs(rig, 40);
  const residentBefore = residentBytes();
  const answers = Promise.all(Array.from({ length: BOMBS }, (_, at) => logo(at)));
  let resident = 0;
  const beside: number[] = [];
  let ended = false;
  void answers.finally(() => {
    ended = true;
  });
  while (!ended) {
    beside.push(await medianMs(rig, 5));
    // Seldom: the rig keeps what the service logs.
    await setTimeout(250);
    resident = Math.max(resident, residentBytes());
  }
  expect(fetched).toBe(BOMBS + 1);
  for (const { statusCode } of await answers) expect([200, 404]).toContain(statusCode);
  const median = beside.toSorted((a, b) => a - b)[beside.length >> 1]!;
  const figures = `${alone.toFixed(1)} ms alone, ${median.toFixed(1)} beside`;
  expect(median / alone, figures).toBeLessThan(2);
  expect((resident - residentBefore) / 1e6).toBeLessThan(50 + (BOMBS * bombs[0]!.length) / 1e6);
}, 180_000);

/** Without the heap of JavaScript, which after other tests grows before it is swept: pictures lie outside it. */
function residentBytes(): number {
  const { rss, heapTotal } = process.memoryUsage();
  return rss - heapTotal;
}

async function medianMs({ call }: HttpRig, times: number): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < times; n++) {
    const startedAt = performance.now();
    expect((await call('GET', '/v1/challenges')).statusCode).toBe(200);
    took.push(performance.now() - startedAt);
  }
  return took.sort((a, b) => a - b)[times >> 1]!;
}

/** A compressed text of a PNG file. */
function textChunk(bytes: number): Buffer {
  const data = Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(bytes))]);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write('zTXt', 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}
