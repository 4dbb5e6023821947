// `bench pad` on footage: its answer, what it keeps, and how it resumes. test/cli covers how it refuses a bad list.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLikeness } from '../../support/command-line.ts';
import { FACES_DIR, HAS_FACES } from '../../support/faces.ts';

const SCRIPT =
  '{"steps":[{"prompt":"neutral","from_ms":0,"to_ms":600},{"prompt":"smile","from_ms":600,"to_ms":2500}]}';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-bench-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(!HAS_FACES)(`bench pad (FACES_DIR: ${FACES_DIR})`, () => {
  it('measures attacks and bona fide footage, keeps every cue, and resumes from what it kept', async () => {
    const out = join(folder, 'pad');
    const script = join(folder, 'script.json');
    await writeFile(script, SCRIPT);
    const environment = { TMPDIR: await mkdtemp(join(folder, 'tmp-')) };
    const list = join(folder, 'pad.csv');
    await writeFile(
      list,
      `file,label,attack,script,subject
video/liveportrait/d0.mp4,bona_fide,studio,${script},d0
video/derived/still_loop_d0.mp4,attack,still,,d0
video/derived/still_loop_d0.mp4,attack,still,${script},d0
video/malformed/one_frame.mp4,attack,frame,,d0
`,
    );
    const run = () =>
      runLikeness(
        ['bench', 'pad', '--manifest', list, '--root', FACES_DIR, '--out', out, '--json'],
        environment,
      );
    const { code, stdout } = await run();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      bona_fide: {
        n: 1,
        subjects: 1,
        bpcer: 0,
        interval: [0, expect.any(Number)],
        kinds: { studio: { n: 1, accepted: { rate: 1 } } },
      },
      species: {
        still: {
          n: 2,
          clips: 1,
          subjects: 1,
          apcer: 0,
          interval: [0, expect.any(Number)],
          // Without a script nothing asked it to move: a person who only rested may film it again.
          sent_back: { rate: 0.5 },
        },
        frame: { n: 1, apcer: 0, sent_back: { rate: 1 } },
      },
      smile: { bona_fide: { n: 1, passed: 1 }, attacks: { n: 1, passed: 0 } },
      not_judged: { one_frame: 1 },
    });

    const kept = await readdir(out);
    expect(kept).toHaveLength(3);
    for (const name of kept) {
      const text = await readFile(join(out, name), 'utf8');
      await writeFile(
        join(out, name),
        text.replaceAll(/"outcome":"(refused|sentBack)"/g, '"outcome":"accepted"'),
      );
    }
    // Kept judgements are not repeated, so editing them changes the answer.
    const again = JSON.parse((await run()).stdout);
    expect(again.species.still).toMatchObject({ n: 2, apcer: 1 });
  });
});
