import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { textLines } from '../../src/base/log-text.ts';

/** The line that one logged error produces. */
function written(error: unknown): { text: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', process: 'test' }, { write: (line) => void lines.push(line) });
  log.child({ request: 'r' }).error({ err: error }, 'failed');
  return { text: lines.join(''), err: JSON.parse(lines[0]!).err };
}

const REFERENCE = 'customer-4711';

/** As the PostgreSQL client throws it. */
function databaseError(): Error {
  return Object.assign(new Error('new row for relation "challenge" violates check constraint'), {
    code: '23514',
    detail: `Failing row contains (ch_1, ${REFERENCE}).`,
    where: `COPY challenge, line 1: "${REFERENCE}"`,
    config: { headers: { authorization: REFERENCE } },
  });
}

it('logs type, code, message and stack of an error, and none of its other properties', () => {
  const { text, err } = written(databaseError());
  expect(text).not.toContain(REFERENCE);
  expect(err).toEqual({
    type: 'Error',
    code: '23514',
    message: 'new row for relation "challenge" violates check constraint',
    stack: expect.stringContaining('log.test.ts'),
  });
});

it('logs causes and aggregated errors the same way, even when they are circular', () => {
  const circular = databaseError();
  circular.cause = circular;
  const { text, err } = written(
    new AggregateError(
      [databaseError(), new TypeError('second', { cause: databaseError() }), circular],
      'two',
    ),
  );
  expect(text).not.toContain(REFERENCE);
  expect(err).toMatchObject({
    type: 'AggregateError',
    message: 'two',
    errors: [
      { code: '23514' },
      { type: 'TypeError', message: 'second', cause: { code: '23514' } },
      { cause: { code: '23514' } },
    ],
  });
});

it('logs only the type of a thrown value that is not an error', () => {
  for (const thrown of [{ message: REFERENCE }, REFERENCE]) {
    expect(written(thrown).err).toEqual({ type: typeof thrown });
  }
});

it('prints time, level, process, message and request as text, with the ids last', () => {
  const written: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  const log = createLogger({ level: 'info', process: 'api' }, textLines(stream));
  log.info('ready');
  const request = {
    method: 'GET',
    route: '/v1/challenges',
    status: 200,
    duration_ms: 1.5,
    account: 'acct_1',
  };
  log.info({ request_id: 'req_1', ...request, challenge: 'ch_1' }, 'request');
  log.error({ err: databaseError() }, 'failed');
  const text = written.join('');
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: api: ready\n/);
  expect(text).toContain('INFO: api: request GET /v1/challenges 200, 1.5 ms {"challenge":"ch_1"}\n');
  expect(text).toMatch(/ERROR: api: failed\s.*violates check constraint/s);
  expect(text).not.toContain(REFERENCE);
});
