// A process that is told to stop ends, whatever runs in it.
import { expect, it } from 'vitest';
import { createLogger } from '../../src/base/log.ts';
import { stopParts } from '../../src/composition/stop-parts.ts';

const log = createLogger({ level: 'silent', process: 'test' });
const forever = () => new Promise<void>(() => {});

it('stops the last part first, even if one fails', async () => {
  const stopped: string[] = [];
  const stop = (name: string) => async () => {
    stopped.push(name);
    if (name === 'queue') throw new Error('no database');
  };
  expect(await stopParts([stop('database'), stop('queue'), stop('server')], 60_000, log)).toBe(true);
  expect(stopped).toEqual(['server', 'queue', 'database']);
});

it('gives up a part that does not end, and stops the others all the same', async () => {
  let closed = false;
  const close = async () => {
    closed = true;
  };
  expect(await stopParts([close, forever], 100, log)).toBe(false);
  expect(closed).toBe(true);
});
