// Traces against a collector that decodes them: requests, judgements with their steps, deliveries. They contain ids and
// no personal data.
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Trace } from '../../src/base/trace.ts';
import { openTracing, withTraces } from '../../src/composition/tracing.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';
import { type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.ts';

let collector: OtlpReceiver;
let rig: HttpRig;
const queued: Trace[] = [];
const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

beforeAll(async () => {
  collector = await startOtlpReceiver();
  rig = await createHttpRig({ settings: { trace: (span) => queued[0]?.(span) } });
});
afterAll(async () => {
  await Promise.all([collector.close(), rig.close()]);
});

/** Runs `work` with traces on, and resolves when all have been sent. */
async function traced(work: (trace: Trace) => Promise<void> | void) {
  const before = collector.spans.length;
  // The SDK reads its own variable.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  try {
    const tracing = (await openTracing(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), log))!;
    queued.unshift(tracing.trace);
    await work(tracing.trace);
    await tracing.close();
  } finally {
    queued.length = 0;
    vi.unstubAllEnvs();
  }
  return collector.spans.slice(before);
}

test('sends none where no collector is configured', async () => {
  expect(await openTracing(readConfig({}), log)).toBeNull();
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'ftp://a.example' })).toThrow(/OTEL_EXPORTER/);
});

test('a request is a child span of its caller, named by its route, with ids and no secret', async () => {
  const body = { liveness_only: true, customer_reference: 'Ada Lovelace' };
  let created = { challenge_id: '', challenge_url: '' };
  const spans = await traced(async () => {
    const headers = { traceparent: CALLER, 'x-request-id': 'mine-1' };
    created = (await rig.call('POST', '/v1/create-challenge', body, headers)).json();
    const { pathname } = new URL(created.challenge_url);
    await rig.app.inject({ url: `${pathname}/state`, headers: { traceparent: 'nonsense' } });
    await rig.app.inject({ url: '/v1/challenges/not-an-id', headers: { 'user-agent': 'Ada' } });
    await rig.app.inject({ url: '/livez' });
  });
  expect(spans.map(({ name }) => name)).toEqual([
    'POST /v1/create-challenge',
    'GET /c/:token/state',
    'GET /v1/challenges/:challenge_id',
  ]);
  expect(spans[0]).toMatchObject({
    kind: 2,
    traceId: CALLER.slice(3, 35),
    parentSpanId: CALLER.slice(36, 52),
    attributes: {
      'http.response.status_code': 201,
      'likeness.request_id': 'mine-1',
      'likeness.challenge_id': created.challenge_id,
      'likeness.account_id': rig.accountId,
    },
    resource: { 'service.name': 'likeness', 'likeness.region': 'au', 'likeness.role': 'all' },
  });
  expect(spans[1]!.parentSpanId).toBeUndefined();
  expect(spans[2]!.attributes).not.toHaveProperty('likeness.challenge_id');
  const token = created.challenge_url.split('/c/')[1]!;
  for (const hidden of ['Ada', token, rig.key, '127.0.0.1"']) expect(collector.text()).not.toContain(hidden);
});

test('a judgement contains its steps, an attempt its outcome', async () => {
  const counted: string[] = [];
  const spans = await traced((trace) => {
    const observers = withTraces(
      { judge: () => counted.push('judge'), deliver: () => counted.push('deliver') },
      trace,
    );
    observers.judge({
      ...{ captureId: 'cap_1', challengeId: 'ch_1', startedAt: new Date(Date.now() - 900) },
      ...{
        followed: false,
        settlement: 'completed',
        guidance: 'on',
        light: { outcome: 'no_light', swing: null },
        promptLead: 'passed',
        live: true,
        reasons: [],
      },
      timingsMs: { decode: 300, track: 400, total: 750 },
    });
    observers.deliver({
      ...{ deliveryId: 'msg_1', challengeId: 'ch_1', at: new Date(), durationMs: 40 },
      ...{ outcome: 'timeout', responseStatus: null },
    });
  });
  expect(counted).toEqual(['judge', 'deliver']);
  const [judge, deliver] = ['judge', 'deliver'].map((name) => spans.find((span) => span.name === name)!);
  const steps = spans.filter((span) => span.parentSpanId === judge!.spanId);
  expect(steps.map(({ name, durationMs }) => [name, durationMs])).toEqual([
    ['decode', 300],
    ['track', 400],
  ]);
  expect(new Set(steps.map(({ traceId }) => traceId))).toEqual(new Set([judge!.traceId]));
  expect(judge!.attributes).toMatchObject({ 'likeness.capture_id': 'cap_1', 'likeness.live': true });
  expect(deliver).toMatchObject({
    failed: true,
    attributes: { 'likeness.delivery_id': 'msg_1', 'likeness.outcome': 'timeout' },
  });
});

test('a collector that is unavailable stops nothing, and is logged without its address', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:secret@127.0.0.1:1');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '300');
  try {
    const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' });
    const tracing = (await openTracing(config, log))!;
    const [startedAt, durationMs] = [new Date(), 1];
    tracing.trace({ name: 'x', kind: 'server', startedAt, durationMs, failed: false, attributes: {} });
    await tracing.close();
    expect(lines.join('')).toContain('traces could not be sent');
    expect(lines.join('')).not.toContain('secret');
  } finally {
    vi.unstubAllEnvs();
  }
});
