// Whether the recording was announced while it was being made, and how long each prompt was known before its part of
// the recording was announced. That is the time somebody had to render or assemble pictures that answer. Measured by
// where the pictures lie in the file; what the page says about its slices is ignored here.
import type { Packet } from '../video/clip.ts';
import { atLeast, atMost, type Check, explains, gate, notEvaluated, type Outcome } from './cue.ts';
import type { CaptureEvidence } from './evidence.ts';
import type { Submission } from './submission.ts';

/**
 * Slices are accepted until 4.4 s after the end of the previous one (src/challenge/settings.ts). Recorders write a
 * picture some time after they took it: 0.5 s after its own time on loopback, 2.5 s with a second of network delay.
 * Pictures that come later were held back, in slices that held less than they claimed. The 2 s beyond the rule's are
 * chosen, not measured.
 */
const MAX_DELAY_MS = 6_500;
/**
 * A page shows the next prompt once the answer to the last has been held, at most 0.5 s after it asked for that prompt,
 * and announces that moment with its next slice, 0.4 s plus the network delay later: at most 0.9 s in 15 captures with
 * up to 300 ms of network delay. Somebody who loses the answer and makes it again takes longer; how much is chosen, not
 * measured.
 */
const MAX_LEAD_MS = 3_000;

/**
 * A page shows a prompt once it has it, and announces the picture of that moment later. A recorder's clock may run some
 * tenths of a second behind the page's; the allowance for that is chosen, not measured.
 */
const MIN_LEAD_MS = -1_000;
/** The decoder reports times in whole milliseconds. */
const ROUNDING_MS = 1;

/** The longest time from a picture's own time to the announcement that contains it, in milliseconds. */
export const announced: Check = {
  cue: 'announced',
  role: gate('spoof'),
  refuses: [],
  stays: 'by construction: a film announced later could be made later',
  run: runAnnounced,
};

/** The longest time by which a prompt was known before the recording up to it was announced, in milliseconds. */
export const promptLead: Check = {
  cue: 'prompt_lead',
  role: explains(),
  refuses: [],
  stays: 'operators look at it before they require it',
  run: runPromptLead,
};
/** The same where the operator requires it. */
export const promptLeadRequired: Check = {
  cue: 'prompt_lead_required',
  role: gate('spoof'),
  refuses: [],
  stays: 'by construction: a film made for the whole script could be sent',
  run: (evidence) =>
    evidence.submission?.justInTime ? runPromptLead(evidence) : notEvaluated('not_applicable'),
};

/**
 * The shortest of these times. If it is below 0, the picture at which a prompt is said to have been shown was fixed
 * before anybody was told that prompt: the script was laid over footage afterwards.
 */
export const promptKnown: Check = {
  cue: 'prompt_known',
  role: gate('spoof'),
  refuses: [],
  stays: 'by construction: a script could be laid over an old film',
  run: (evidence) => {
    const leads = leadsOf(evidence);
    if (!leads) return notEvaluated('not_applicable');
    return atLeast(Math.min(...leads.map(({ shortestMs }) => shortestMs)), MIN_LEAD_MS, 'foreseen');
  },
};

function runAnnounced({ clip, submission }: CaptureEvidence): Outcome {
  if (!submission) return notEvaluated('not_applicable');
  // Without packets, nothing is known about when any picture was announced, so the recording is not believed.
  if (clip.packets.length === 0) return notEvaluated('announced_late');
  const delays = clip.packets.map((packet) => announcedAtMs(packet.endByte, submission) - packet.timeMs);
  return atMost(Math.max(...delays), MAX_DELAY_MS, 'announced_late');
}

function runPromptLead(evidence: CaptureEvidence): Outcome {
  const leads = leadsOf(evidence);
  if (!leads) return notEvaluated('not_applicable');
  return atMost(Math.max(...leads.map(({ longestMs }) => longestMs)), MAX_LEAD_MS, 'prompts_ahead');
}

/** Time from handing out a prompt to announcing the picture at which it was shown, in milliseconds. */
interface Lead {
  readonly shortestMs: number;
  readonly longestMs: number;
}

/**
 * One for each prompt but the first, which comes with the script itself. Null if there is no such prompt, or nothing to
 * measure it by.
 */
function leadsOf({ clip, observations, submission, script }: CaptureEvidence): Lead[] | null {
  if (!submission || !script || script.steps.length < 2 || clip.packets.length === 0) return null;
  return script.steps.slice(1).map(({ from_ms }, i) => {
    const shown = observations.find(({ timeMs }) => timeMs >= from_ms) ?? observations.at(-1);
    const [first, last] = placesOf(clip.packets, shown?.timeMs ?? from_ms);
    const leadMs = (endByte: number) => announcedAtMs(endByte, submission) - submission.handedOutMs[i + 1]!;
    return { shortestMs: leadMs(first), longestMs: leadMs(last) };
  });
}

/**
 * The bytes of the file up to which the picture seen at this time begins and ends; the whole file if it is not found.
 * Packets that were never seen prove nothing, because anybody can place them anywhere, with any time. Where a packet
 * ends can be forged (its bytes may be compressed, or belong to others too); where it begins cannot.
 */
function placesOf(packets: readonly Packet[], seenMs: number): readonly [first: number, last: number] {
  const own = packets.filter(({ timeMs }) => Math.abs(timeMs - seenMs) <= ROUNDING_MS);
  if (own.length === 0) return [0, Number.POSITIVE_INFINITY];
  return [
    Math.min(...own.map(({ startByte }) => startByte + 1)),
    Math.max(...own.map(({ endByte }) => endByte)),
  ];
}

/** When the bytes up to this one were announced; the time of the last slice if no slice contains them. */
function announcedAtMs(endByte: number, { announcements }: Submission): number {
  return (announcements.find((slice) => slice.endByte >= endByte) ?? announcements.at(-1)!).announcedMs;
}
