// What each effect of the machine does: calls, camera, guidance, recording, upload, waiting, redirect.
import type { CallFault, Calls } from '../api/calls.ts';
import type { Device } from '../api/device.ts';
import type { RecordingLoad } from '../camera/camera.ts';
import { onceAllowed } from '../camera/permission.ts';
import { rehearse } from '../camera/rehearsal.ts';
import type { Guide } from '../guidance/guide.ts';
import { disown } from '../passkey/disown.ts';
import { isNetworkBlocked } from '../upload/network-probe.ts';
import { createAskedDevice } from './asked-device.ts';
import type { CameraVisit } from './camera-visit.ts';
import { wayOf } from './cannot.ts';
import type { Effect } from './effect.ts';
import type { Entry } from './entry.ts';
import { createFollower } from './follow.ts';
import { commitDeadlines, issueCapture, issuedCapture, waitForLastMs } from './issue.ts';
import { KnownScript } from './known-script.ts';
import { awaitOutcome } from './outcome.ts';
import { commitDetails } from './recorded.ts';
import { redirectTo } from './redirect.ts';
import type { IssuedCapture, Page, PageEvent } from './screens.ts';
import { takeVideo } from './take-video.ts';
import type { Unsent } from './unsent.ts';

export interface EffectParts {
  readonly calls: Calls;
  readonly device: Device;
  readonly guide: Guide;
  readonly video: HTMLVideoElement;
  readonly entry: Entry;
  readonly visit: CameraVisit;
  readonly unsent: Unsent;
  page(): Page;
  dispatch(event: PageEvent): void;
}

/** Faults that tell how the check ended here. */
const ENDS: readonly CallFault[] = ['unknown_link', 'gone', 'cancelled', 'used', 'other_device'];

type EffectsByName = { readonly [Name in Effect['do']]: Extract<Effect, { readonly do: Name }> };
type Carriers = {
  readonly [Name in Effect['do']]: (effect: EffectsByName[Name]) => Promise<void> | void;
};

/** Carries out an effect, and dispatches what comes of it. */
export type CarryOut = (effect: Effect) => Promise<void> | void;

/** Creates the function that carries out the machine's effects. */
export function createEffects(parts: EffectParts): CarryOut {
  const { calls, device, guide, entry, visit, unsent, page, dispatch } = parts;
  const follower = createFollower(calls, device, dispatch);
  const asked = createAskedDevice(unsent, dispatch);
  const carriers: Carriers = {
    load: entry.load,
    begin: ({ consent }) => entry.begin(consent),
    open_camera: ({ id }) => visit.open(id, loadOf(page())),
    stop_camera: visit.end,
    remind: ({ afterMs }) => visit.later(afterMs, { type: 'asked_long' }),
    offer_manual: ({ afterMs }) => visit.later(afterMs, { type: 'manual_offered' }),
    tick: ({ afterMs }) => visit.later(afterMs, { type: 'tick' }),
    explain_delay: ({ afterMs }) => visit.later(afterMs, { type: 'prepares_long' }),
    wait: ({ untilMs }) => visit.later(Math.max(0, untilMs - Date.now()), { type: 'waited' }),
    watch_permission: () => {
      const allowed = () => {
        if (page().screen.name === 'camera_denied') dispatch({ type: 'open_camera' });
      };
      onceAllowed(allowed, visit.signal());
    },
    try_way: async () => {
      const signal = visit.signal();
      const blocked = await isNetworkBlocked(calls, signal);
      if (blocked && !signal.aborted) dispatch({ type: 'upload_lost', why: 'network_blocks' });
    },
    guide: () => watchPreview(parts),
    slow_guidance: () => void guide.slowDown(),
    rehearse: () => rehearseRecording(parts),
    issue_capture: () => issue(parts),
    record: ({ capture }) => recordCapture(parts, capture),
    upload: () => {
      const { screen } = page();
      unsent.send('status' in screen && screen.status.committed);
    },
    prepare_device: ({ ask }) => asked.prepare(ask),
    ask_device: ({ ask, way }) => asked.use(ask, way),
    stop_asking: asked.stop,
    answer_device: ({ answer }) => unsent.answer(answer),
    disown: ({ key }) => disown(key),
    await_outcome: () => awaitOutcome(calls, dispatch),
    ask_whether_over: async () => {
      const { screen, challenge } = page();
      const answer = await calls.state();
      const lost = answer.ok && challenge?.bound_here && !answer.value.bound_here;
      const fault = answer.ok ? lost && 'other_device' : answer.fault;
      // The person may have begun another try meanwhile, which finds out by itself.
      if (page().screen.name !== screen.name || !fault || !ENDS.includes(fault)) return;
      dispatch({ type: 'call_failed', fault });
    },
    follow: ({ target }) => follower.follow(target),
    stop_following: follower.stop,
    end_as: async ({ outcome }) => {
      const answer = await calls.endInSandbox({ outcome });
      dispatch(answer.ok ? { type: 'ended' } : { type: 'call_failed', fault: answer.fault });
    },
    report: ({ event }) => void calls.report(event),
    redirect: ({ url }) => {
      const { name } = page().screen;
      redirectTo(url, () => page().screen.name === name);
    },
  };
  const carryOut = <Name extends Effect['do']>(effect: EffectsByName[Name]) =>
    carriers[effect.do as Name](effect);
  return carryOut;
}

/** What a recording may demand of this device. */
function loadOf({ stuck }: Page): RecordingLoad {
  return stuck === 'warned' ? 'light' : 'full';
}

/** Has guidance watch the preview, and dispatches what it sees. */
function watchPreview({ guide, video, visit, page, dispatch }: EffectParts): void {
  guide.watch(video, {
    live: () => dispatch({ type: 'guidance', state: 'live' }),
    off: () => dispatch({ type: 'guidance', state: 'off' }),
    hint: (hint) => dispatch({ type: 'hint', hint }),
    light: (hint) => dispatch({ type: 'light', hint }),
    aligned: () => {
      // On a hidden page nobody sees the prompts, and a frozen picture answers none: either would waste a try.
      if (!document.hidden && !visit.camera()?.silent()) dispatch({ type: 'aligned' });
    },
  });
  if (page().busy) guide.slowDown();
}

/** Records in vain, and dispatches whether this device would be in time. */
async function rehearseRecording({ calls, visit, page, dispatch }: EffectParts): Promise<void> {
  const signal = visit.signal();
  const camera = visit.camera();
  if (!camera) return dispatch({ type: 'recording_failed', why: 'camera_lost' });
  const type = await visit.recordingType();
  if (signal.aborted) return;
  const shown = await rehearse(camera.stream, loadOf(page()), type, calls.state, signal).catch(() => null);
  if (signal.aborted) return;
  if (shown?.ok === false) return dispatch({ type: 'call_failed', fault: shown.fault });
  dispatch({ type: 'rehearsed', inTime: shown?.inTime === true });
}

/** Requests a capture and dispatches it, or why there is none yet. */
async function issue({ calls, visit, page, dispatch }: EffectParts): Promise<void> {
  const signal = visit.signal();
  // Before the script is drawn: from then on every second counts.
  await visit.recordingType();
  if (signal.aborted) return;
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
  const parts = { calls, signal, pause, random: Math.random };
  const answer = await issueCapture(parts, wayOf(page()));
  if (answer === null) return;
  const waitMs = waitForLastMs(answer);
  if (waitMs !== null) return dispatch({ type: 'capture_under_way', untilMs: Date.now() + waitMs });
  if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
  dispatch({ type: 'capture_issued', capture: issuedCapture(answer.value, Date.now()) });
}

/** Records the video, and uploads it meanwhile. */
async function recordCapture(parts: EffectParts, capture: IssuedCapture): Promise<void> {
  const { guide, video, visit, unsent, page, dispatch } = parts;
  const camera = visit.camera();
  if (!camera) return dispatch({ type: 'recording_failed', why: 'camera_lost' });
  const { stream, labelVirtual } = camera;
  const signal = visit.signal();
  const script = new KnownScript(capture, page().challenge?.tries_left ?? 0);
  const recording = unsent.begin(capture, script);
  const type = await visit.recordingType();
  const shown = { stream, video, guide, load: loadOf(page()), type };
  const taken = await takeVideo(capture, { recording, script, ...shown, signal, dispatch });
  if (!taken) return unsent.giveUp();
  const hints = { labelVirtual, guidance: guide.state() };
  const deadlines = commitDeadlines(capture.deadlines, script.whole, taken.script);
  unsent.end(commitDetails(taken, hints), deadlines);
  dispatch({ type: 'recorded', deadlines });
}
