// A property of all checks: for each gate there is a film that fails it and nothing else. A gate that always passed
// would be seen here, and a new one does not pass without its film.
import { describe, expect, it } from 'vitest';
import { CHECKS, runChecks } from '../../../../src/evaluation/liveness/checks.ts';
import { refusingGates } from '../../../../src/evaluation/liveness/fusion.ts';
import { useModels } from '../../../evaluation/picture.ts';
import { evidenceOf } from '../../../evaluation/recorded.ts';
import { keptClips } from '../../../evaluation/video/make-clip.ts';
import { FACES_DIR, HAS_FACES } from '../../../support/faces.ts';
import { type Filming, GATE_FILMS, genuine, UNDER_A_LAMP } from './gate-films.ts';

const GATES = CHECKS.filter(({ role }) => role.kind === 'gate').map(({ cue }) => cue);
/** The output of a browser's recorder. */
const RECORDED = ['-an', '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '2500k'];

const held = useModels();
const clips = keptClips();
const film: Filming = async (clip, seconds, filter) => {
  const cut = ['-t', String(seconds), '-i', clip, '-filter_complex', filter];
  return evidenceOf(await clips.make('film.webm', [...cut, ...RECORDED]), held);
};

it('has a film for each gate, and for nothing else', () => {
  expect(Object.keys(GATE_FILMS).sort()).toEqual([...GATES].sort());
});

describe.skipIf(!HAS_FACES)(`a film (FACES_DIR: ${FACES_DIR})`, () => {
  it('of a person who follows the script fails no gate', async () => {
    expect(refusingGates(runChecks(await genuine(film)))).toEqual([]);
  });

  it.each(
    Object.entries(UNDER_A_LAMP).flatMap(([who, make]) =>
      [
        [0.02, 7],
        [0.1, 1],
        [0.1, 10],
      ].map(([depth, hertz]) => [who, depth, hertz, make] as const),
    ),
  )('of a person who %s by a lamp that pulses by %d at %i Hz repeats, freezes and breaks nothing', async (_, depth, hertz, make) => {
    const light = `eq=brightness='${depth}*sin(2*PI*t*${hertz})':eval=frame`;
    const broken = runChecks(await make(film, light)).filter(
      ({ status, reason }) =>
        status === 'failed' && ['looped', 'frozen', 'view_broken', 'picture_broken'].includes(reason ?? ''),
    );
    expect(broken).toEqual([]);
  });

  it.each(Object.entries(GATE_FILMS))('fails %s, and nothing else', async (gate, { make, also }) => {
    const refusing = refusingGates(runChecks(await make(film)));
    expect(refusing.sort()).toEqual([gate, ...(also?.gates ?? [])].sort());
  });
});
