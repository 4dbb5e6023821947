// Bodies that cost the process more than their sender: before these limits, 240 kB took one second to check.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_STEPS } from '../../src/contract/script.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

/** The limit documented in docs/interface.md. */
const MAX_VALUES = 2_500;

const list = (text: string, count: number) => `[${Array(count).fill(text).join(',')}]`;
const JSON_BODY = { 'content-type': 'application/json' };
const create = (body: string) => rig.call('POST', '/v1/create-challenge', body, JSON_BODY);
/** An unknown link: senders of these need no valid one. */
const page = (path: string, body: string) => rig.call('POST', `/c/${'a'.repeat(43)}${path}`, body, JSON_BODY);
const CAPTURE = `/captures/cap_${'0'.repeat(26)}`;

describe('a body with more values than any request has', () => {
  const tooMuchAt = (pointer: string) => [
    { pointer, code: 'too_many', detail: `must not contain more than ${MAX_VALUES} values` },
  ];

  it.each([
    [
      'FeatureIDs',
      '/compare_to_featids',
      `{"liveness_only":false,"compare_to_featids":${list('1', 100_000)}}`,
    ],
    [
      'endpoints',
      '/notifications',
      `{"liveness_only":true,"notifications":{"complete":${list('{}', 80_000)}}}`,
    ],
    ['lists in lists', '/x', `{"liveness_only":true,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['fields', '', `{${Array.from({ length: 20_000 }, (_, at) => `"a${at}":0`).join(',')}}`],
  ])('gets one fault: %s', async (_what, pointer, body) => {
    const answer = await create(body);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toEqual(tooMuchAt(pointer));
  });

  it('gets it for one value too many, and not before', async () => {
    // The body, its two fields and the list count as values.
    const holding = (values: number) => `{"liveness_only":true,"x":${list('1', values - 3)}}`;
    expect((await create(holding(MAX_VALUES))).json().errors).toEqual([
      expect.objectContaining({ pointer: '/x', code: 'unknown_field' }),
    ]);
    expect((await create(holding(MAX_VALUES + 1))).json().errors).toEqual(tooMuchAt(''));
  });
});

describe('a body for the capture page, which anybody can send', () => {
  it('gets only its first fault', async () => {
    for (const [path, body] of [
      [`${CAPTURE}/slices`, `{"slices":${list('{}', 400)}}`],
      [`${CAPTURE}/commit`, `{"script":{"steps":${list('{}', 400)}}}`],
      ['/consent', '{"a":1,"b":1}'],
    ] as const) {
      const answer = await page(path, body);
      expect(answer.statusCode, path).toBe(422);
      expect(answer.json().errors, path).toHaveLength(1);
    }
  });

  it('gets only the first fault of its query', async () => {
    const query = Array.from({ length: 50 }, (_, at) => `a${at}=1`).join('&');
    const answer = await rig.call('GET', `/c/${'a'.repeat(43)}/outcome?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors).toHaveLength(1);
  });

  it('has room for the longest script, and not for much more', async () => {
    const step = { prompt: 'target', angle_deg: 359, amount: 'near', from_ms: 100_000, to_ms: 120_000 };
    const commit = {
      slices: 512,
      size_bytes: 64 * 1024 * 1024,
      mime_type: `video/webm;${'x'.repeat(100)}`,
      duration_ms: 600_000,
      script: { steps: Array(MAX_STEPS).fill(step), way: 'passive' },
    };
    const longest = JSON.stringify(commit);
    expect((await page(`${CAPTURE}/commit`, longest)).statusCode).toBe(404);
    expect((await page(`${CAPTURE}/commit`, longest.padEnd(32_000))).statusCode).toBe(404);
    expect((await page(`${CAPTURE}/commit`, longest.padEnd(32_001))).statusCode).toBe(413);
  });
});
