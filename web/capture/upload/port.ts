// Connects the upload's logic (upload.ts) to the page's calls, the clock and the browser's connection state.

import type { CaptureConflict } from '../../../src/contract/capture-conflict.ts';
import type { DrawnStep } from '../../../src/contract/script.ts';
import { type Answer, type Calls, conflictOf } from '../api/calls.ts';
import { pause } from '../time/pause.ts';
import type { GrowingRecording } from './growing-recording.ts';
import type { Standing, StepAnswer, UploadPort } from './upload-calls.ts';

/** The steps of the script that announcements ask the server for. */
export interface AskedSteps {
  /** How many steps are wanted in total; undefined if they are already known. */
  readonly asked: number | undefined;
  /** Receives the steps that the server reveals. */
  learn(steps: readonly DrawnStep[]): void;
}

/**
 * Creates the upload's access to the server and the clock.
 * @param script null after the recording, when no more steps are needed
 * @param signal ends the calls and pauses of this upload
 */
export function uploadPort(
  calls: Calls,
  captureId: string,
  recording: GrowingRecording,
  script: AskedSteps | null,
  signal: AbortSignal,
): UploadPort {
  return {
    announce: async (from, to) => {
      const steps = script?.asked;
      const slices = recording.slices.slice(from, to);
      const answer = await calls.announce(captureId, { slices, ...(steps !== undefined && { steps }) });
      if (answer.ok && answer.value.steps) script?.learn(answer.value.steps);
      return stepAnswer(answer);
    },
    commit: async () => stepAnswer(await calls.commit(captureId, recording.commit!)),
    progress: async () => {
      const answer = await calls.progress(captureId);
      // On any other call a conflict leads to this one. Here it means that the capture is no longer this tab's.
      if (!answer.ok && answer.fault === 'conflict') return refused;
      return stepAnswer(answer);
    },
    append: async (from, to) =>
      stepAnswer(await calls.append(captureId, from, recording.blob().slice(from, to), signal)),
    answer: async () => {
      const answer = stepAnswer(await calls.answer(captureId, recording.answer!));
      return answer.ok ? { ok: true, value: { ...answer.value, passkey: null } } : answer;
    },
    // A restored connection cuts the wait short.
    pause: (ms) => pause(ms, signal, 'online'),
    random: Math.random,
    now: Date.now,
  };
}

/** Conflicts that no retry can resolve. */
const TOO_LATE: readonly CaptureConflict[] = ['slice_too_late', 'slice_too_early', 'commit_too_late'];

const refused: StepAnswer = { ok: false, kind: 'refused', retryAfterMs: null };

function stepAnswer(answer: Answer<Standing>): StepAnswer {
  if (answer.ok) return { ok: true, value: answer.value };
  const { fault, retryAfterMs, status } = answer;
  const conflict = conflictOf(answer.body);
  if (conflict === 'other_script') return { ok: false, kind: 'faulty', retryAfterMs: null };
  if (conflict !== null && TOO_LATE.includes(conflict)) return refused;
  if (fault === 'gone' || fault === 'cancelled' || fault === 'used')
    return { ok: false, kind: 'expired', retryAfterMs: null };
  if (fault === 'conflict') return { ok: false, kind: 'realign', retryAfterMs: null };
  if (fault === 'blocked' || fault === 'offline') return { ok: false, kind: fault, retryAfterMs: null };
  const transient = status === 408 || status === 429 || status >= 500;
  return transient ? { ok: false, kind: 'transient', retryAfterMs } : refused;
}
