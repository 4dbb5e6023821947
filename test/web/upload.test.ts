// The capture page's upload: each slice is announced once it exists, bytes continue from where the server stands, and a
// bad line loses or duplicates nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaptureProgressState } from '../../src/contract/capture-page.ts';
import type { PasskeyAsk } from '../../src/contract/device.ts';
import { commitDelayAfter, delayAfter } from '../../web/capture/upload/delays.ts';
import {
  runUpload,
  type UploadInput,
  type UploadSource,
  type UploadStatus,
} from '../../web/capture/upload/upload.ts';
import type { StepAnswer, UploadPort } from '../../web/capture/upload/upload-calls.ts';

/** Fate of one call: it arrives; it is cut before the server sees it; it is cut afterwards. */
type Fate = 'arrives' | 'cut' | 'answer_lost';

interface Line {
  readonly port: UploadPort;
  readonly server: {
    state: CaptureProgressState;
    announced: number;
    bytes: number[];
    commits: number;
    answers: number;
  };
  readonly calls: string[];
  readonly pausesMs: number[];
}

const total = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

/** A server that keeps what it gets, behind a line that decides the fate of every call. */
function line(source: UploadSource, fates: readonly Fate[]): Line {
  const server: Line['server'] = { state: 'issued', announced: 0, bytes: [], commits: 0, answers: 0 };
  const asksDevice = source.deviceAnswer !== 'none';
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
  const announcedBytes = () => total(source.sliceBytes.slice(0, server.announced));
  const stand = (): StepAnswer => {
    const isAnswered = !asksDevice || server.answers > 0;
    const hasAll = server.bytes.length === announcedBytes() && isAnswered;
    if (server.state === 'committed' && hasAll) server.state = 'submitted';
    return {
      ok: true,
      value: {
        received_bytes: server.bytes.length,
        announced_slices: server.announced,
        state: server.state,
      },
    };
  };
  const port: UploadPort = {
    announce: (index) =>
      through(`announce ${index}`, () => {
        if (server.state !== 'issued' || index > server.announced) return conflict;
        server.announced = Math.max(server.announced, index + 1);
        return stand();
      }),
    commit: () =>
      through('commit', () => {
        if (server.state !== 'issued') return conflict;
        server.commits += 1;
        server.state = 'committed';
        return stand();
      }),
    progress: () =>
      through('progress', () => {
        const passkey = asksDevice && server.answers === 0 ? ASK : null;
        const answer = stand();
        return answer.ok ? { ...answer, value: { ...answer.value, passkey } } : answer;
      }),
    answer: () =>
      through('answer', () => {
        if (server.state !== 'committed' || !asksDevice || server.answers > 0) return conflict;
        server.answers += 1;
        const answer = stand();
        return answer.ok ? { ...answer, value: { ...answer.value, passkey: null } } : answer;
      }),
    append: (from, to) =>
      through(`append ${from}-${to}`, () => {
        const open = server.state === 'issued' || server.state === 'committed';
        if (!open || from !== server.bytes.length || to > announcedBytes()) return conflict;
        for (let at = from; at < to; at += 1) server.bytes.push(at);
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

/** A recording that is over when its upload begins. */
function recorded(sliceBytes: readonly number[], commitByMs = 10_000): UploadSource {
  return {
    sliceBytes,
    announceByMs: () => null,
    commitByMs,
    deviceAnswer: 'none',
    changed: () => new Promise(() => {}),
  };
}

/** A recording that is over, and that the person's device is to sign. */
function unsigned(sliceBytes: readonly number[]): UploadSource & { sign(): void } {
  let answered = false;
  let tell = () => {};
  const change = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return {
    ...recorded(sliceBytes),
    get deviceAnswer() {
      return answered ? 'given' : 'awaited';
    },
    changed: () => (answered ? new Promise(() => {}) : change),
    sign: () => {
      answered = true;
      tell();
    },
  };
}

/** A recording that grows by a slice, or ends, with each call of `grow`. */
function growing(
  sizes: readonly number[],
  announceByMs: number | null = null,
): UploadSource & { grow(): void } {
  const sliceBytes: number[] = [];
  let over = false;
  let grown = () => {};
  let growth = new Promise<void>((resolve) => {
    grown = resolve;
  });
  return {
    sliceBytes,
    announceByMs: () => announceByMs,
    deviceAnswer: 'none',
    get commitByMs() {
      return over ? 10_000 : null;
    },
    changed: () => growth,
    grow: () => {
      if (sliceBytes.length < sizes.length) sliceBytes.push(sizes[sliceBytes.length]!);
      else over = true;
      grown();
      growth = new Promise((resolve) => {
        grown = resolve;
      });
    },
  };
}

const ASK: PasskeyAsk = {
  challenge_id: 'chg_1',
  rp_id: 'localhost',
  rp_name: 'Harbour Bank',
  required: false,
  known: [],
  new_user_id: 'u',
};
const fresh: UploadInput = { chunkBytes: 100, resumed: false, committed: false };
const resumed: UploadInput = { ...fresh, resumed: true };
const lost: StepAnswer = { ok: false, kind: 'offline', retryAfterMs: null };
const unavailable: StepAnswer = { ok: false, kind: 'transient', retryAfterMs: null };
const blocked: StepAnswer = { ok: false, kind: 'blocked', retryAfterMs: null };
const conflict: StepAnswer = { ok: false, kind: 'realign', retryAfterMs: null };

/** Lets everything that is under way reach its next wait. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('upload', () => {
  it('announces, commits, and sends every chunk once', async () => {
    const source = recorded([150, 100]);
    const { port, calls, server } = line(source, []);
    const seen: UploadStatus[] = [];
    expect(await runUpload(port, source, fresh, (status) => seen.push(status))).toBe('complete');
    expect(calls.filter((call) => !call.startsWith('append'))).toEqual([
      'announce 0',
      'announce 1',
      'commit',
    ]);
    expect(calls.filter((call) => call.startsWith('append'))[0]).toBe('append 0-100');
    expect(new Set(calls).size).toBe(calls.length);
    expect(server.bytes).toHaveLength(250);
    expect(seen[0]).toEqual({ phase: 'committing', progress: 0, committed: false, lost: false });
    expect(seen.at(-1)).toMatchObject({ phase: 'sending', committed: true });
  });

  it('sends what there is during the recording, and has little left at its end', async () => {
    const source = growing([100, 100, 50]);
    const { port, calls, server } = line(source, []);
    const outcome = runUpload(port, source, fresh, () => {});
    await settle();
    expect(calls).toEqual([]);
    source.grow();
    await settle();
    expect(calls).toEqual(['announce 0', 'append 0-100']);
    source.grow();
    source.grow();
    await settle();
    expect(server.bytes).toHaveLength(250);
    expect(server.state).toBe('issued');
    source.grow();
    expect(await outcome).toBe('complete');
    expect(calls.at(-1)).toBe('commit');
  });

  it('announces on time even if bytes hardly get through', async () => {
    const source = growing([100, 100, 100]);
    const { port, calls } = line(source, []);
    const stuck: UploadPort = { ...port, append: () => new Promise(() => {}) };
    void runUpload(stuck, source, fresh, () => {});
    for (let i = 0; i < 4; i++) {
      source.grow();
      await settle();
    }
    expect(calls).toEqual(['announce 0', 'announce 1', 'announce 2', 'commit']);
  });

  it('pauses bytes once an announcement takes long, until one finds the line free again', async () => {
    const source = growing([100, 100, 100, 100]);
    const { port, calls } = line(source, []);
    let nowMs = 0;
    // The second one waits behind bytes.
    const tookMs = [400, 900, 600];
    const slow: UploadPort = {
      ...port,
      now: () => nowMs,
      announce: (from, to) => {
        nowMs += tookMs[from] ?? 400;
        return port.announce(from, to);
      },
    };
    void runUpload(slow, source, fresh, () => {});
    const appended = async () => {
      source.grow();
      await settle();
      return calls.filter((call) => call.startsWith('append')).length;
    };
    expect(await appended()).toBe(1);
    expect(await appended()).toBe(1);
    expect(await appended()).toBe(3);
  });

  it('sends small chunks before the commit, and whole ones after it', async () => {
    const source = growing([150_000, 300_000]);
    const { port, calls } = line(source, []);
    const outcome = runUpload(port, source, { ...fresh, chunkBytes: 262_144 }, () => {});
    source.grow();
    await settle();
    expect(calls.slice(1)).toEqual(['append 0-131072', 'append 131072-150000']);
    source.grow();
    source.grow();
    expect(await outcome).toBe('complete');
    expect(calls.indexOf('append 150000-412144')).toBeGreaterThan(calls.indexOf('commit'));
  });

  it('keeps the line free for the commit: bytes before it pause until it is made', async () => {
    const source = growing([100, 100, 100]);
    const { port, calls } = line(source, []);
    let nowMs = 0;
    const slow: UploadPort = {
      ...port,
      now: () => nowMs,
      announce: (from, to) => {
        nowMs += from === 0 ? 400 : 900;
        return port.announce(from, to);
      },
    };
    const outcome = runUpload(slow, source, fresh, () => {});
    for (let i = 0; i < 4; i++) {
      source.grow();
      await settle();
    }
    expect(await outcome).toBe('complete');
    expect(calls.indexOf('commit')).toBeLessThan(calls.indexOf('append 100-200'));
  });

  it('asks where the server stands after a cut, and continues from there', async () => {
    const source = recorded([100, 150]);
    const { port, calls, server, pausesMs } = line(source, ['answer_lost', 'cut', 'cut', 'arrives']);
    expect(await runUpload(port, source, fresh, () => {})).toBe('complete');
    expect(calls.filter((call) => call === 'announce 0')).toHaveLength(1);
    expect(calls).toContain('progress');
    expect(server.bytes).toHaveLength(250);
    expect(pausesMs.length).toBeGreaterThan(0);
  });

  it('asks where the server stands first after a reload', async () => {
    const source = recorded([150, 100]);
    const { port, calls, server } = line(source, []);
    server.state = 'committed';
    server.announced = 2;
    server.bytes = Array.from({ length: 200 }, (_, at) => at);
    await runUpload(port, source, resumed, () => {});
    expect(calls.filter((call) => call !== 'progress')).toEqual(['append 200-250']);
  });

  it('sends nothing more once it is given up, and has no outcome', async () => {
    const source = growing([100, 100]);
    const { port, calls } = line(source, []);
    const given = new AbortController();
    const outcome = runUpload(port, source, fresh, () => {}, given.signal);
    source.grow();
    await settle();
    given.abort();
    expect(await outcome).toBeNull();
    source.grow();
    await settle();
    expect(calls).toEqual(['announce 0', 'append 0-100']);
  });

  it('is not shown as safe before the server has the commit, and stays safe after a cut', async () => {
    const source = recorded([250]);
    const { port, pausesMs } = line(source, [
      ...Array<Fate>(6).fill('cut'),
      ...Array<Fate>(4).fill('arrives'),
      'cut',
    ]);
    const seen: UploadStatus[] = [];
    await runUpload(port, source, fresh, (status) => seen.push(status));
    const committedAt = seen.findIndex(({ committed }) => committed);
    expect(seen.slice(0, committedAt).some(({ phase }) => phase === 'waiting')).toBe(true);
    expect(seen.slice(committedAt).every(({ committed }) => committed)).toBe(true);
    // Short pauses while the commit may still come in time.
    expect(Math.max(...pausesMs.slice(0, 6))).toBeLessThanOrEqual(800);
  });

  it.each<[string, (StepAnswer | 'asked')[], boolean]>([
    ['as lost where nothing answers', [lost, lost, lost], true],
    ['as there where the server answers with errors', [unavailable, unavailable, unavailable], false],
    ['as there where some calls are answered', [lost, unavailable, lost], false],
    ['as there where the server tells its progress, and no more', [lost, 'asked', lost], false],
  ])('reports the connection %s', async (_, answers, expected) => {
    const { port } = line(recorded([250]), []);
    const waiting: UploadStatus[] = [];
    const given = new AbortController();
    let call = 0;
    const next = async (): Promise<StepAnswer> => {
      const answer = answers[call] ?? lost;
      call += 1;
      return answer === 'asked' ? port.progress() : answer;
    };
    const failing: UploadPort = { ...port, announce: next, progress: next, commit: next };
    await runUpload(
      failing,
      recorded([250]),
      fresh,
      (status) => {
        if (status.phase === 'waiting') waiting.push(status);
        if (call >= answers.length) given.abort();
      },
      given.signal,
    );
    expect(waiting.at(-1)?.lost).toBe(expected);
  });

  it('keeps trying for as long as the connection is lost, and lets the server say that it was too long', async () => {
    const source = recorded([250]);
    const { port, calls, server, pausesMs } = line(source, Array<Fate>(100).fill('cut'));
    const progress = async (): Promise<StepAnswer> => {
      const answer = await port.progress();
      // The server's own deadline has passed meanwhile.
      if (answer.ok) server.state = 'abandoned';
      return answer.ok ? port.progress() : answer;
    };
    expect(await runUpload({ ...port, progress }, source, fresh, () => {})).toBe('lost');
    expect(calls.length).toBeGreaterThan(100);
    expect(pausesMs.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(600_000);
  });

  it('ends a recording that can no longer be announced in time, and not a moment before', async () => {
    const source = growing([100, 100, 100], 5_000);
    const { port, calls } = line(source, ['arrives', 'arrives', ...Array<Fate>(100).fill('cut')]);
    source.grow();
    const outcome = runUpload(port, source, fresh, () => {});
    await settle();
    expect(calls).toEqual(['announce 0', 'append 0-100']);
    source.grow();
    expect(await outcome).toBe('lost');
    expect(port.now()).toBeGreaterThan(5_000);
    expect(port.now()).toBeLessThan(7_000);
  });

  it('has its outcome at once, even if a call of the other lane hangs', async () => {
    const source = growing([100, 100], 5_000);
    const { port } = line(source, ['arrives', ...Array<Fate>(100).fill('cut')]);
    source.grow();
    const hangs = { ...port, append: () => new Promise<never>(() => {}) };
    const outcome = runUpload(hangs, source, fresh, () => {});
    await settle();
    source.grow();
    expect(await outcome).toBe('lost');
  });

  it('sends smaller chunks where something on the way refuses large ones', async () => {
    const source = recorded([150_000]);
    const { port, server } = line(source, []);
    const sizes: number[] = [];
    const firewall: UploadPort = {
      ...port,
      append: async (from, to) => {
        sizes.push(to - from);
        return to - from > 65_536 ? blocked : port.append(from, to);
      },
    };
    const input = { chunkBytes: 131_072, resumed: false, committed: false };
    expect(await runUpload(firewall, source, input, () => {})).toBe('complete');
    expect(server.bytes).toHaveLength(150_000);
    expect(sizes.filter((size) => size > 65_536)).toHaveLength(1);
  });

  it.each([
    'announce',
    'commit',
    'append',
  ] as const)('ends as blocked where every %s is refused on the way', async (step) => {
    const source = recorded([250]);
    const { port } = line(source, []);
    const firewall: UploadPort = { ...port, [step]: async () => blocked };
    expect(await runUpload(firewall, source, fresh, () => {})).toBe('blocked');
  });

  it('ends when the server keeps refusing the same bytes', async () => {
    const source = recorded([250]);
    const { port } = line(source, []);
    const stubborn: UploadPort = { ...port, append: async () => conflict };
    expect(await runUpload(stubborn, source, fresh, () => {})).toBe('lost');
  });

  it('asks again, with pauses, when the server has every byte and another of its processes must finish', async () => {
    const source = recorded([100]);
    const { port, server, pausesMs } = line(source, []);
    let asked = 0;
    const value = () => ({ received_bytes: 100, announced_slices: 1, state: server.state });
    const busy: UploadPort = {
      ...port,
      commit: async () => {
        server.state = 'committed';
        return { ok: true, value: value() };
      },
      append: async () => {
        asked += 1;
        server.bytes = Array.from({ length: 100 }, (_, at) => at);
        return { ok: true, value: { ...value(), state: asked < 4 ? 'committed' : 'submitted' } };
      },
    };
    expect(await runUpload(busy, source, fresh, () => {})).toBe('complete');
    expect(asked).toBe(4);
    expect(pausesMs.length).toBeGreaterThan(0);
  });

  it.each([
    ['refused', 'lost'],
    ['faulty', 'faulty'],
    ['expired', 'expired'],
  ] as const)('ends at once when %s', async (kind, outcome) => {
    for (const step of ['announce', 'commit', 'append'] as const) {
      const source = recorded([250]);
      const { port } = line(source, []);
      const refusing = { ...port, [step]: async () => ({ ok: false, kind, retryAfterMs: null }) as const };
      expect(await runUpload(refusing, source, fresh, () => {})).toBe(outcome);
    }
  });

  it('whatever the line does, the server ends with exactly the bytes, committed once', async () => {
    const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'cut', 'answer_lost');
    const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 40 }),
        sizes,
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        fc.boolean(),
        async (fates, sliceBytes, chunkBytes, live, wasResumed) => {
          const source = live ? growing(sliceBytes) : recorded(sliceBytes);
          const { port, server } = line(source, fates);
          const input = { ...fresh, chunkBytes, resumed: wasResumed };
          const running = runUpload(port, source, input, ({ progress, committed }) => {
            expect(progress).toBeGreaterThanOrEqual(0);
            expect(progress).toBeLessThanOrEqual(1);
            // Nothing is reported as safe that the server has not taken.
            if (committed) expect(server.commits).toBe(1);
          });
          if ('grow' in source)
            for (let i = 0; i <= sliceBytes.length; i++) (source as { grow(): void }).grow();
          expect(await running).toBe('complete');
          expect(server.commits).toBe(1);
          expect(server.bytes).toEqual(Array.from({ length: total(sliceBytes) }, (_, at) => at));
        },
      ),
    );
  });
});

describe('the answer of the person’s device', () => {
  it('is waited for without a call once every byte has arrived, and ends the upload', async () => {
    const source = unsigned([150]);
    const { port, calls, server } = line(source, []);
    const seen: UploadStatus[] = [];
    const outcome = runUpload(port, source, fresh, (status) => seen.push(status));
    await settle();
    const called = [...calls];
    expect(server.bytes).toHaveLength(150);
    expect(seen.at(-1)).toEqual({ phase: 'sending', progress: 1, committed: true, lost: false });
    await settle();
    expect(calls).toEqual(called);
    source.sign();
    expect(await outcome).toBe('complete');
    expect(calls).toEqual([...called, 'answer']);
  });

  it('is sent as soon as the commit is acknowledged, though bytes hardly get through', async () => {
    const source = unsigned([150]);
    const { port, calls, server } = line(source, []);
    source.sign();
    const stuck: UploadPort = { ...port, append: () => new Promise(() => {}) };
    void runUpload(stuck, source, fresh, () => {});
    await settle();
    expect(calls).toEqual(['announce 0', 'commit', 'answer']);
    expect(server.answers).toBe(1);
  });

  it('is sent again after an answer that was lost, with pauses, and no more once the server has it', async () => {
    const source = unsigned([50]);
    const calm = line(source, []);
    source.sign();
    const fates: Fate[] = ['arrives', 'cut', 'cut', 'answer_lost'];
    let sent = 0;
    const bad: UploadPort = {
      ...calm.port,
      answer: async () => {
        const fate = fates[++sent];
        if (fate === 'cut') return lost;
        const answer = await calm.port.answer();
        return fate === 'answer_lost' ? lost : answer;
      },
    };
    expect(await runUpload(bad, source, fresh, () => {})).toBe('complete');
    expect(sent).toBe(3);
    expect(calm.server.answers).toBe(1);
    expect(calm.pausesMs.length).toBeGreaterThan(0);
  });

  it('is left out where the server no longer asks for it', async () => {
    const source = unsigned([50]);
    const { port, server } = line(source, []);
    source.sign();
    const answered: UploadPort = {
      ...port,
      answer: async () => {
        server.answers = 1;
        return conflict;
      },
    };
    expect(await runUpload(answered, source, fresh, () => {})).toBe('complete');
  });

  it('is asked for again after a reload, unless it arrived before', async () => {
    const source = unsigned([50]);
    const { port, server, calls } = line(source, []);
    Object.assign(server, { state: 'committed', announced: 1, bytes: [...Array(50).keys()] });
    const outcome = runUpload(port, source, { ...resumed, committed: true }, () => {});
    await settle();
    expect(new Set(calls)).toEqual(new Set(['progress']));
    source.sign();
    expect(await outcome).toBe('complete');
    expect(calls.at(-1)).toBe('answer');
  });

  it('ends as lost where the recording was given up meanwhile', async () => {
    const source = unsigned([50]);
    const { port, server } = line(source, []);
    const outcome = runUpload(port, source, fresh, () => {});
    await settle();
    server.state = 'abandoned';
    source.sign();
    expect(await outcome).toBe('lost');
  });

  it('whatever the line does, arrives once, with all bytes', async () => {
    const fate = fc.constantFrom<Fate>('arrives', 'arrives', 'cut', 'answer_lost');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fate, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 12 }),
        async (fates, sliceBytes, calledBefore) => {
          const source = unsigned(sliceBytes);
          const { port, server, calls } = line(source, fates);
          const running = runUpload(port, source, fresh, () => {});
          for (let i = 0; i < 5 && calls.length < calledBefore; i++) await settle();
          source.sign();
          expect(await running).toBe('complete');
          expect(server.answers).toBe(1);
          expect(server.bytes).toHaveLength(total(sliceBytes));
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

  it('is short before the commit, and does not exceed its deadline', () => {
    expect(commitDelayAfter(20, null, 1, 9_000)).toBe(800);
    expect(commitDelayAfter(20, null, 1, 300)).toBe(300);
    expect(commitDelayAfter(1, 5_000, 0, 9_000)).toBe(5_000);
    expect(commitDelayAfter(1, 5_000, 0, 2_000)).toBe(2_000);
    expect(commitDelayAfter(20, null, 1, 0)).toBe(12_000);
  });
});
