// A recording while it is made: what waits to be announced is joined, what may have been announced stays as it is.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingRecording } from '../../web/capture/upload/growing-recording.ts';

const details = { mime_type: 'video/webm', duration_ms: 1, script: { steps: [] } };

describe('a recording while it is made', () => {
  it('joins slices that wait, whatever is announced when, and loses no byte of them', async () => {
    const part = fc.record({ bytes: fc.integer({ min: 1, max: 50 }), announces: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 20 }), async (parts) => {
        const recording = new GrowingRecording();
        const announced: { index: number; sha256: string; size_bytes: number; to_ms: number }[] = [];
        const all = Buffer.from(parts.flatMap(({ bytes }, i) => Array(bytes).fill(i)));
        let toMs = 0;
        for (const [i, { bytes, announces }] of parts.entries()) {
          toMs += 400;
          recording.add(new Blob([new Uint8Array(bytes).fill(i)]), toMs);
          if (!announces) continue;
          await new Promise((resolve) => setTimeout(resolve));
          if (recording.slices.length > announced.length)
            announced.push({ ...recording.announcement(announced.length) });
        }
        const { commit } = await recording.end(details, 0);
        for (let i = announced.length; i < recording.slices.length; i += 1)
          announced.push({ ...recording.announcement(i) });
        expect(announced).toEqual(recording.slices);
        expect(announced.length).toBe(commit.slices);
        const bytes = Buffer.from(await recording.blob().arrayBuffer());
        expect(bytes.equals(all)).toBe(true);
        let from = 0;
        for (const { size_bytes, sha256 } of announced) {
          const slice = bytes.subarray(from, from + size_bytes);
          expect(createHash('sha256').update(slice).digest('hex')).toBe(sha256);
          from += size_bytes;
        }
        expect(from).toBe(all.length);
        expect(announced.at(-1)?.to_ms).toBe(toMs);
      }),
      { numRuns: 50 },
    );
  });

  it('is one slice as long as nothing of it is announced', async () => {
    const recording = new GrowingRecording();
    for (let i = 1; i <= 5; i += 1) recording.add(new Blob(['12345']), i * 400);
    await recording.end(details, 0);
    expect(recording.slices).toMatchObject([{ index: 0, size_bytes: 25, to_ms: 2_000 }]);
  });

  it('knows until when the next slice may be announced', async () => {
    const recording = new GrowingRecording({ issuedAtMs: 1_000_000, withinMs: 4_400 });
    expect(recording.announceByMs).toBe(1_004_400);
    recording.add(new Blob(['1']), 400);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(recording.announceByMs).toBe(1_004_400);
    recording.announcement(0);
    expect(recording.announceByMs).toBe(1_004_800);
  });
});
