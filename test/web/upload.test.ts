// The capture page's upload: hash first, chunks from where the server stands, nothing lost or doubled by bad lines.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureProgressState } from '../../src/contract/capture-page.ts';
import {
  commitDelayAfter,
  delayAfter,
  runUpload,
  type StepAnswer,
  type UploadInput,
  type UploadPort,
  type UploadStatus,
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
  let nowMs = 0;
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
      nowMs += ms;
    },
    random: () => 0.5,
    now: () => nowMs,
  };
  return { port, server, calls, pausesMs };
}

/** 250 bytes in chunks of 100, just recorded. */
const fresh: UploadInput = {
  sizeBytes: 250,
  chunkBytes: 100,
  resumed: false,
  committed: false,
  commitByMs: 10_000,
};

const lost: StepAnswer = { ok: false, kind: 'transient', retryAfterMs: null };
const conflict: StepAnswer = { ok: false, kind: 'realign', retryAfterMs: null };

describe('upload', () => {
  it('commits, then sends every chunk once', async () => {
    const { port, calls, server } = line(250, []);
    const seen: string[] = [];
    const outcome = await runUpload(port, fresh, ({ phase, progress, committed }) =>
      seen.push(`${phase} ${progress} ${committed}`),
    );
    expect(outcome).toBe('complete');
    expect(calls).toEqual(['commit', 'append 0-100', 'append 100-200', 'append 200-250']);
    expect(server.bytes).toHaveLength(250);
    expect(seen).toEqual(['committing 0 false', 'sending 0 true', 'sending 0.4 true', 'sending 0.8 true']);
  });

  it('asks where the server stands after a cut, and goes on from there', async () => {
    const { port, calls, pausesMs } = line(250, ['arrives', 'arrives', 'answer_lost', 'cut', 'arrives']);
    expect(await runUpload(port, fresh, () => {})).toBe('complete');
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
    await runUpload(port, { ...fresh, resumed: true }, () => {});
    expect(calls).toEqual(['progress', 'append 200-250']);
  });

  it('a commit that came too late is lost, not tried for ever', async () => {
    const { port, calls } = line(250, []);
    const late = { ...port, commit: async () => conflict };
    expect(await runUpload(late, fresh, () => {})).toBe('lost');
    expect(calls).toEqual(['progress']);
  });

  it('is promised to nobody before the server has its hash, nor after it was away', async () => {
    const { port, pausesMs } = line(250, [...Array<Fate>(6).fill('cut'), 'arrives', 'arrives', 'cut']);
    const seen: UploadStatus[] = [];
    await runUpload(port, fresh, (status) => seen.push(status));
    const committedAt = seen.findIndex(({ committed }) => committed);
    expect(seen.slice(0, committedAt).some(({ phase }) => phase === 'waiting')).toBe(true);
    expect(seen.slice(committedAt).every(({ committed }) => committed)).toBe(true);
    expect(seen.slice(committedAt).some(({ phase }) => phase === 'waiting')).toBe(true);
    // Short pauses while the commit may still come in time.
    expect(Math.max(...pausesMs.slice(0, 6))).toBeLessThanOrEqual(800);
  });

  it('goes on for as long as the connection is away, and lets the server say that it was too long', async () => {
    const { port, calls, server, pausesMs } = line(250, Array<Fate>(100).fill('cut'));
    server.state = 'issued';
    const late: UploadPort = {
      ...port,
      commit: async () => {
        if (!(await port.commit()).ok) return lost;
        // The server's own deadline has passed meanwhile.
        server.state = 'abandoned';
        return conflict;
      },
    };
    const outcome = await runUpload(late, fresh, () => {});
    expect(outcome).toBe('lost');
    expect(calls.length).toBeGreaterThan(100);
    expect(pausesMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(600_000);
  });

  it('ends where the server refuses the same bytes again and again', async () => {
    const { port } = line(250, []);
    const stubborn: UploadPort = { ...port, append: async () => conflict };
    expect(await runUpload(stubborn, fresh, () => {})).toBe('lost');
  });

  it.each([
    ['refused', 'lost'],
    ['expired', 'expired'],
  ] as const)('ends at once when %s', async (kind, outcome) => {
    const { port } = line(250, []);
    const refusing = { ...port, append: async () => ({ ok: false, kind, retryAfterMs: null }) as const };
    expect(await runUpload(refusing, fresh, () => {})).toBe(outcome);
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
          const input = { ...fresh, sizeBytes, chunkBytes, resumed };
          const outcome = await runUpload(port, input, ({ progress, committed }) => {
            expect(progress).toBeGreaterThanOrEqual(0);
            expect(progress).toBeLessThanOrEqual(1);
            // Nothing is said to be safe that the server has not taken.
            if (committed) expect(server.commits).toBe(1);
          });
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

  it('is short before the commit, and does not sleep through its time', () => {
    expect(commitDelayAfter(20, null, 1, 9_000)).toBe(800);
    expect(commitDelayAfter(20, null, 1, 300)).toBe(300);
    expect(commitDelayAfter(1, 5_000, 0, 9_000)).toBe(5_000);
    expect(commitDelayAfter(1, 5_000, 0, 2_000)).toBe(2_000);
    expect(commitDelayAfter(20, null, 1, 0)).toBe(12_000);
  });
});
