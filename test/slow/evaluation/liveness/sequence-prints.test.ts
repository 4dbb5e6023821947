// The same footage is recognised in another container and in a cut of it.
import { describe, expect, it } from 'vitest';
import { sequencePrints } from '../../../../src/evaluation/liveness/sequence-prints.ts';
import { DEFAULT_SETTINGS } from '../../../../src/evaluation/settings.ts';
import type { Clip } from '../../../../src/evaluation/video/clip.ts';
import { decodeClip } from '../../../../src/evaluation/video/decode.ts';
import { type ClipFolder, keptClips, testPicture } from '../../../evaluation/video/make-clip.ts';

describe('sequencePrints', () => {
  const clipOf = async (path: string): Promise<Clip> => {
    const decoded = await decodeClip(path, DEFAULT_SETTINGS.video, async (frames) => {
      for await (const _ of frames);
    });
    if (decoded.status !== 'decoded') throw new Error(decoded.reason);
    return decoded.clip;
  };
  const shared = (a: readonly Buffer[], b: readonly Buffer[]) =>
    a.filter((print) => b.some((other) => other.equals(print))).length;
  const encode = ['-c:v', 'libvpx', '-b:v', '1M', '-g', '15'];

  /** Two takes of the same scene by a noisy camera. */
  const take = (clips: ClipFolder, seed: number) =>
    clips.make(
      `take-${seed}.webm`,
      [testPicture('320x240', 15, 3), ['-vf', `noise=alls=6:allf=t:all_seed=${seed}`, ...encode]].flat(),
    );

  it('recognises the same footage in another container or cut, and not a second take', async () => {
    const clips = keptClips();
    const first = await take(clips, 1);
    const copied = await clips.make('copy.mkv.webm', ['-i', first, '-c', 'copy', '-metadata', 'title=x']);
    const cut = await clips.make('cut.webm', ['-ss', '1', '-i', first, '-c', 'copy']);
    const prints = sequencePrints(await clipOf(first));
    expect(prints).toHaveLength(24);
    expect(shared(sequencePrints(await clipOf(copied)), prints)).toBe(24);
    expect(shared(sequencePrints(await clipOf(cut)), prints)).toBeGreaterThan(10);
    expect(shared(sequencePrints(await clipOf(await take(clips, 2))), prints)).toBe(0);
  });
});
