// The capture page's upload: hash first, chunks from where the server stands, nothing lost or doubled by bad lines.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureProgressState } from '../../src/contract/capture-page.ts';
import {
  delayAfter,
  MAX_ATTEMPTS,
  runUpload,
  type StepAnswer,
  type UploadPort,
} from '../../web/capture/upload/upload.ts';

/** Fate of one call: it arrives; it is cut before the server saw it; it is cut after. */
type Fate = 'arrives' | 'cut' | 'answer_lost';

interface Line {
  readonly port: UploadPort;
  readonly server: { state: CaptureProgressState; bytes: number[]; commits: number };
  readonly calls: string[];
  readonly pausesMs: number[];
}

/** A server that keeps what it gets, behind a line of which every call has its fate. */
function line(sizeBytes: number, fates: readonly Fate[]): Line {
  const server = { state: 'issued' as CaptureProgressState, bytes: [] as number[], commits: 0 };
  const calls: string[] = [];
  const pausesMs: number[] = [];
  let call = 0;
  const through = async (name: string, act: () => StepAnswer): Promise<StepAnswer> => {
    calls.push(name);
    const fate = fates[call] ?? 'arrives';
    call += 1;
    if (fate === 'cut') return lost;
    const answer = act();
    return fate === 'answer_lost' ? lost : answer;
  };
  const stand = (): StepAnswer => ({
    ok: true,
    value: { received_bytes: server.bytes.length, state: server.state },
  });
  const port: UploadPort = {
    commit: () =>
      through('commit', () => {
        if (server.state !== 'issued') return conflict;
        server.commits += 1;
        server.state = 'committed';
        return stand();
      }),
    progress: () => through('progress', stand),
    append: (from, to) =>
      through(`append ${from}-${to}`, () => {
        if (server.state !== 'committed' || from !== server.bytes.length) return conflict;
        for (let at = from; at < to; at += 1) server.bytes.push(at);
        if (server.bytes.length === sizeBytes) server.state = 'submitted';
        return stand();
      }),
    pause: async (ms) => {
      pausesMs.push(ms);
    },
    random: () => 0.5,
  };
  return { port, server, calls, pausesMs };
}

const lost: StepAnswer = { ok: false, kind: 'transient', retryAfterMs: null };
const conflict: StepAnswer = { ok: false, kind: 'realign', retryAfterMs: null };

describe('upload', () => {
  it('commits, then sends every chunk once', async () => {
    const { port, calls, server } = line(250, []);
    const seen: string[] = [];
    const outcome = await runUpload(
      port,
      { sizeBytes: 250, chunkBytes: 100, resumed: false },
      (phase, progress) => seen.push(`${phase} ${progress}`),
    );
    expect(outcome).toBe('complete');
    expect(calls).toEqual(['commit', 'append 0-100', 'append 100-200', 'append 200-250']);
    expect(server.bytes).toHaveLength(250);
    expect(seen).toEqual(['committing 0', 'sending 0', 'sending 0.4', 'sending 0.8']);
  });

  it('asks where the server stands after a cut, and goes on from there', async () => {
    const { port, calls, pausesMs } = line(250, ['arrives', 'arrives', 'answer_lost', 'cut', 'arrives']);
    expect(await runUpload(port, { sizeBytes: 250, chunkBytes: 100, resumed: false }, () => {})).toBe(
      'complete',
    );
    expect(calls).toEqual([
      'commit',
      'append 0-100',
      'append 100-200',
      'progress',
      'progress',
      'append 200-250',
    ]);
    expect(pausesMs).toHaveLength(2);
    expect(pausesMs[1]).toBeGreaterThan(pausesMs[0]!);
  });

  it('a reload asks first', async () => {
    const { port, calls, server } = line(250, []);
    server.state = 'committed';
    server.bytes = Array.from({ length: 200 }, (_, at) => at);
    await runUpload(port, { sizeBytes: 250, chunkBytes: 100, resumed: true }, () => {});
    expect(calls).toEqual(['progress', 'append 200-250']);
  });

  it('a commit that came too late is lost, not tried for ever', async () => {
    const { port, calls } = line(250, []);
    const late = { ...port, commit: async () => conflict };
    expect(await runUpload(late, { sizeBytes: 250, chunkBytes: 100, resumed: false }, () => {})).toBe('lost');
    expect(calls).toEqual(['progress']);
  });

  it('stops after many failures in a row and says where it was', async () => {
    const { port, pausesMs } = line(250, ['arrives', 'arrives', ...Array<Fate>(50).fill('cut')]);
    let last = '';
    const outcome = await runUpload(
      port,
      { sizeBytes: 250, chunkBytes: 100, resumed: false },
      (phase, progress) => {
        last = `${phase} ${progress}`;
      },
    );
    expect(outcome).toBe('stopped');
    expect(last).toBe('sending 0.4');
    expect(pausesMs).toHaveLength(MAX_ATTEMPTS - 1);
  });

  it.each([
    ['refused', 'lost'],
    ['expired', 'expired'],
  ] as const)('ends at once when %s', async (kind, outcome) => {
    const { port } = line(250, []);
    const refusing = { ...port, append: async () => ({ ok: false, kind, retryAfterMs: null }) as const };
    expect(await runUpload(refusing, { sizeBytes: 250, chunkBytes: 100, resumed: false }, () => {})).toBe(
      outcome,
    );
  });

  it('whatever the line does, the server ends with exactly the bytes, committed once', async () => {
    const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'cut', 'answer_lost');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 40 }),
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        async (fates, sizeBytes, chunkBytes, resumed) => {
          const { port, server } = line(sizeBytes, fates);
          let outcome = await runUpload(port, { sizeBytes, chunkBytes, resumed }, (_phase, progress) => {
            expect(progress).toBeGreaterThanOrEqual(0);
            expect(progress).toBeLessThanOrEqual(1);
          });
          while (outcome === 'stopped') {
            outcome = await runUpload(port, { sizeBytes, chunkBytes, resumed: true }, () => {});
          }
          expect(outcome).toBe('complete');
          expect(server.commits).toBe(1);
          expect(server.bytes).toEqual(Array.from({ length: sizeBytes }, (_, at) => at));
        },
      ),
    );
  });
});

describe('delay', () => {
  it('grows, is capped, jittered by half and never less than Retry-After', () => {
    expect(delayAfter(1, null, 0)).toBe(200);
    expect(delayAfter(1, null, 1)).toBe(400);
    expect(delayAfter(3, null, 1)).toBe(1600);
    expect(delayAfter(20, null, 1)).toBe(12_000);
    expect(delayAfter(1, 5_000, 0)).toBe(5_000);
    expect(delayAfter(1, 10_000_000, 0)).toBe(60_000);
  });
});
