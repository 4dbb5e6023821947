// When which step of the script is on the screen, and when the recording ends. Pure: elapsed milliseconds in, calls out.
import type { Script } from '../../../src/contract/script.ts';

/** Recorded after the last step, so that its last frames are surely in the file. */
const TAIL_MS = 300;

/** Half a frame of a 60 Hz screen: a step is shown by the frame nearest to its time, not by the first after it. */
const LEAD_MS = 8;

/** Calls `step` once at the start of each step after the first, and `end` once after the last and the tail. */
export function followScript(
  script: Script,
  step: (index: number) => void,
  end: () => void,
): (elapsedMs: number) => void {
  const last = script.steps.at(-1);
  const endMs = (last?.to_ms ?? 0) + TAIL_MS;
  let current = 0;
  let ended = false;
  return (elapsedMs) => {
    let next = script.steps[current + 1];
    while (next && elapsedMs + LEAD_MS >= next.from_ms) {
      current += 1;
      step(current);
      next = script.steps[current + 1];
    }
    if (!ended && elapsedMs >= endMs) {
      ended = true;
      end();
    }
  };
}

/** Length of a script's recording in milliseconds, the tail included. */
export function recordingLengthMs(script: Script): number {
  return (script.steps.at(-1)?.to_ms ?? 0) + TAIL_MS;
}
