// A recording in progress: its slices, and the deadline for announcing each.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { GrowingRecording } from '../../web/capture/upload/growing-recording.ts';

const details = { mime_type: 'video/webm', duration_ms: 1, script: { steps: [] } };

describe('a recording in progress', () => {
  it('has a slice for each piece, in the order in which they were made', async () => {
    const recording = new GrowingRecording(null, false);
    const parts = [1, 2, 3].map((i) => new Uint8Array(i * 10).fill(i));
    for (const part of parts) recording.add(new Blob([part]), 400);
    const { commit } = await recording.end(details, 0);
    expect(commit).toMatchObject({ slices: 3, size_bytes: 60 });
    expect(recording.slices).toEqual(
      parts.map((part, index) => ({
        index,
        size_bytes: part.length,
        to_ms: 400 + index,
        sha256: createHash('sha256').update(part).digest('hex'),
      })),
    );
  });

  it('knows the deadline for announcing the next slice', async () => {
    const recording = new GrowingRecording({ issuedAtMs: 1_000_000, withinMs: 4_400 }, false);
    expect(recording.announceByMs(0)).toBe(1_004_400);
    recording.add(new Blob(['1']), 400);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(recording.announceByMs(0)).toBe(1_004_400);
    expect(recording.announceByMs(1)).toBe(1_004_800);
  });

  it('has every slice hashed before the device signs them', async () => {
    const recording = new GrowingRecording(null, true);
    recording.add(new Blob(['1']), 400);
    recording.add(new Blob(['2']), 800);
    void recording.end(details, 0);
    expect(await recording.hashed()).toHaveLength(2);
  });

  it('takes the first answer of the device, and tells the upload', async () => {
    expect(new GrowingRecording(null, false).deviceAnswer).toBe('none');
    const recording = new GrowingRecording(null, true);
    expect(recording.deviceAnswer).toBe('awaited');
    const changed = recording.changed();
    recording.give({ kind: 'declined' });
    await changed;
    recording.give({ kind: 'unavailable' });
    expect(recording.deviceAnswer).toBe('given');
    expect(recording.answer).toEqual({ kind: 'declined' });
  });
});
