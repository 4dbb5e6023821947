// Judgements as the evaluation returns them.
import type { Engine } from '../../src/contract/receipt.ts';
import type { Judgement } from '../../src/evaluation/judge.ts';
import { someTemplate } from '../challenge/challenge-rig.ts';

/** The engine, as receipts describe it. */
export const SOME_ENGINE: Engine = {
  version: '0.0.0',
  models: [],
  recognisers: [],
  pad: null,
  target_fmr: 1e-4,
  runtime: {},
};

export type Judged = Extract<Judgement, { status: 'judged' }>;

/** A judgement that passes, with these changes. */
export const passing = (changes: Partial<Judged> = {}): Judged => ({
  status: 'judged',
  liveness: { face: true, smile: true, spoof_result: true, overall: true },
  retryable: null,
  reasons: [],
  cues: [],
  submission: {
    elapsedMs: 8000,
    seenBefore: null,
    justInTime: false,
    announcements: [{ endByte: 1500, announcedMs: 7500 }],
    handedOutMs: [0],
  },
  timeline: [],
  template: someTemplate(),
  noTemplate: null,
  bestFrame: { timeMs: 0, bmp: Buffer.from('BM') },
  comparisons: [],
  clip: {
    container: 'webm',
    codec: 'vp9',
    width: 640,
    height: 480,
    durationMs: 7000,
    fileDurationMs: 7000,
    sourceFrameCount: 200,
  },
  timingsMs: {
    decode: 1,
    track: 1,
    quality: 1,
    identity: 1,
    pad: 1,
    liveness: 1,
    template: 1,
    compare: 1,
    regions: 1,
    rest: 0,
    total: 8,
  },
  ...changes,
});
