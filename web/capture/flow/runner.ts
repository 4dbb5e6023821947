// Carries out the machine's effects: calls, camera, guidance, recording, upload, waiting, redirect.
// Owns everything that must be let go again: the stream, the recording, the calls under way, the timers.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { SandboxOutcome } from '../../../src/contract/sandbox.ts';
import type { Calls } from '../api/calls.ts';
import { type Device, sha256Hex } from '../api/device.ts';
import { listCameras, type OpenCamera, openCamera } from '../camera/camera.ts';
import { onceAllowed } from '../camera/permission.ts';
import { type Recording, type RecordingEvents, record } from '../camera/recorder.ts';
import type { Guide } from '../guidance/guide.ts';
import { dropPending, keepPending, loadPending, type PendingCapture } from '../upload/pending.ts';
import { uploadPort } from '../upload/port.ts';
import { runUpload } from '../upload/upload.ts';
import { followCheck } from './follow.ts';
import { issueCapture, issuedCapture, waitForLastMs } from './issue.ts';
import { CAMERA_SCREENS, initialPage, transition } from './machine.ts';
import { awaitOutcome } from './outcome.ts';
import { pendingOf } from './recorded.ts';
import { redirectTo } from './redirect.ts';
import type { Effect, IssuedCapture, Page, PageEvent, Setting } from './screens.ts';
import { startVideo } from './start-video.ts';

export interface Surroundings {
  readonly calls: Calls;
  readonly device: Device;
  readonly guide: Guide;
  readonly video: HTMLVideoElement;
  /** State in the page's markup; used for the first load of a tab that has not begun. */
  readonly given: CaptureState;
  readonly setting: Setting;
  /** Plain text of the consent as shown for this challenge, and its language. */
  consentText(challenge: CaptureState): { text: string; language: string };
  changed(page: Page): void;
}

export interface Runner {
  dispatch(event: PageEvent): void;
  /** Whether the preview is to be a mirror. */
  mirrored(): boolean;
}

export function createRunner(around: Surroundings): Runner {
  const { calls, device, guide, video } = around;
  let page: Page = initialPage(around.setting, around.given);
  let given: CaptureState | null = around.given;
  let camera: OpenCamera | null = null;
  let pending: PendingCapture | null = null;
  let recorded: Promise<void> = Promise.resolve();
  let kept: Promise<void> = Promise.resolve();
  let visit = new AbortController();
  let following = new AbortController();
  let resumed = false;

  const dispatch = (event: PageEvent): void => {
    const before = page;
    const next = transition(page, event);
    page = next.page;
    if (page !== before) around.changed(page);
    // The detector loads while the person reads.
    const reading = page.screen.name === 'privacy' || page.screen.name === 'start';
    if (reading && !page.challenge?.sandbox_outcomes) guide.load();
    for (const effect of next.effects) void carryOut(effect);
  };

  const stopCamera = () => {
    visit.abort();
    visit = new AbortController();
    guide.rest();
    camera?.stop();
    camera = null;
    video.srcObject = null;
  };

  const load = async () => {
    const markup = given;
    given = null;
    if (markup && !device.known) return loaded(markup);
    const answer = await calls.state();
    if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
    await loaded(answer.value);
  };

  const loaded = async (challenge: CaptureState) => {
    const open = challenge.capture?.state === 'issued' || challenge.capture?.state === 'committed';
    if (open && challenge.capture) pending ??= await loadPending(challenge.capture.id);
    if (pending?.captureId !== challenge.capture?.id || !open) pending = null;
    resumed = pending !== null;
    const bound = device.known || started;
    const { following } = device;
    dispatch({ type: 'loaded', challenge, bound, pending: pending?.deadlines ?? null, following });
  };

  let started = false;
  const begin = async (decision: 'given' | 'declined' | null) => {
    device.keep(device.token);
    const answer = await calls.start();
    if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
    started = true;
    let challenge = answer.value.state;
    if (decision !== null) {
      const { text, language } = around.consentText(challenge);
      const consent = await calls.consent({
        decision,
        text_version: challenge.consent.text_version,
        text_sha256: await sha256Hex(new TextEncoder().encode(text)),
        language,
      });
      if (!consent.ok) return dispatch({ type: 'call_failed', fault: consent.fault });
      challenge = consent.value;
    }
    dispatch({ type: 'begun', challenge });
  };

  const open = async (chosen: string | null) => {
    // One camera at a time: the light of the one before goes off, and a question still open is answered to nobody.
    stopCamera();
    const { signal } = visit;
    const opened = await openCamera(chosen, () => {
      dispatch({ type: 'recording_failed', why: 'camera_lost' });
    });
    if (signal.aborted) return opened.ok ? opened.camera.stop() : undefined;
    if (!opened.ok) return dispatch({ type: 'camera_failed', why: opened.why, framed: opened.framed });
    camera = opened.camera;
    const { stream, id: cameraId } = camera;
    const [plays, cameras] = await Promise.all([startVideo(video, stream), listCameras()]);
    if (signal.aborted) return;
    if (plays) dispatch({ type: 'camera_opened', cameras, cameraId });
    else dispatch({ type: 'camera_failed', why: 'busy', framed: false });
  };

  const endAs = async (outcome: SandboxOutcome) => {
    const answer = await calls.endInSandbox({ outcome });
    dispatch(answer.ok ? { type: 'ended' } : { type: 'call_failed', fault: answer.fault });
  };

  const follow = () => {
    following = new AbortController();
    return followCheck(calls, page.challenge, dispatch, following.signal);
  };

  const issue = async () => {
    const { signal } = visit;
    const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
    const answer = await issueCapture({ calls, signal, pause, random: Math.random });
    if (answer === null) return;
    const waitMs = waitForLastMs(answer);
    if (waitMs !== null) return dispatch({ type: 'capture_under_way', untilMs: Date.now() + waitMs });
    if (!answer.ok) return dispatch({ type: 'call_failed', fault: answer.fault });
    dispatch({ type: 'capture_issued', capture: issuedCapture(answer.value, Date.now()) });
  };

  const takeVideo = async (capture: IssuedCapture) => {
    if (!camera) return dispatch({ type: 'recording_failed', why: 'camera_lost' });
    const { labelVirtual, stream } = camera;
    guide.beginRecording();
    const { signal } = visit;
    const fail = (why: 'interrupted' | 'recorder_failed') => {
      if (!signal.aborted) dispatch({ type: 'recording_failed', why });
    };
    try {
      const events: RecordingEvents = {
        started: () => dispatch({ type: 'recorder_started' }),
        stepEnded: (index, answered) => dispatch({ type: 'step_ended', index, answered }),
      };
      const taken = await record(stream, capture.script, guide.onLook, events, signal);
      if (!taken.ok) return taken.why === 'aborted' ? undefined : fail(taken.why);
      const { blob, script } = taken.recording;
      if (blob.size === 0 || blob.size > capture.maxBytes) return fail('recorder_failed');
      resumed = false;
      recorded = prepare(capture, taken.recording, labelVirtual);
      dispatch({ type: 'recorded', script });
    } catch {
      fail('recorder_failed');
    }
  };

  const prepare = async (capture: IssuedCapture, recording: Recording, labelVirtual: boolean) => {
    pending = await pendingOf(capture, recording, { labelVirtual, guidance: guide.state() });
    // Not awaited: the commit has seconds, keeping the bytes for a reload must not take any of them.
    kept = keepPending(pending);
  };

  const upload = async () => {
    await recorded;
    if (!pending) return dispatch({ type: 'upload_lost', why: 'upload_lost' });
    const outcome = await runUpload(
      uploadPort(calls, pending, kept, new AbortController().signal),
      {
        sizeBytes: pending.blob.size,
        chunkBytes: pending.chunkBytes,
        resumed,
        committed: page.screen.name === 'uploading' && page.screen.status.committed,
        commitByMs: pending.deadlines.commitByMs,
      },
      (status) => dispatch({ type: 'upload', status }),
    );
    pending = null;
    void kept.then(dropPending);
    if (outcome === 'complete') dispatch({ type: 'upload_complete' });
    else if (outcome === 'lost') dispatch({ type: 'upload_lost', why: 'upload_lost' });
    else if (outcome === 'faulty') dispatch({ type: 'upload_lost', why: 'page_fault' });
    else dispatch({ type: 'call_failed', fault: 'gone' });
  };

  const later = (afterMs: number, event: PageEvent) => {
    const { signal } = visit;
    setTimeout(() => {
      if (!signal.aborted) dispatch(event);
    }, afterMs);
  };

  const carryOut = (effect: Effect): Promise<void> | void => {
    switch (effect.do) {
      case 'load':
        return load();
      case 'begin':
        return begin(effect.consent);
      case 'open_camera':
        return open(effect.id);
      case 'end_as':
        return endAs(effect.outcome);
      case 'stop_camera':
        return stopCamera();
      case 'remind':
        return later(effect.afterMs, { type: 'asked_long' });
      case 'watch_permission':
        return onceAllowed(() => {
          if (page.screen.name === 'camera_denied') dispatch({ type: 'open_camera' });
        }, visit.signal);
      case 'follow':
        device.keep(device.token);
        device.follow(effect.target);
        return void follow();
      case 'stop_following':
        following.abort();
        return device.follow(null);
      case 'report':
        return void calls.report({ name: effect.name });
      case 'guide':
        return guide.watch(video, {
          live: () => dispatch({ type: 'guidance', state: 'live' }),
          off: () => dispatch({ type: 'guidance', state: 'off' }),
          hint: (hint) => dispatch({ type: 'hint', hint }),
          aligned: () => dispatch({ type: 'aligned' }),
        });
      case 'offer_manual':
        return later(effect.afterMs, { type: 'manual_offered' });
      case 'tick':
        return later(effect.afterMs, { type: 'tick' });
      case 'wait':
        return later(Math.max(0, effect.untilMs - Date.now()), { type: 'waited' });
      case 'issue_capture':
        return issue();
      case 'record':
        return takeVideo(effect.capture);
      case 'upload':
        return upload();
      case 'await_outcome':
        return awaitOutcome(calls, dispatch);
      case 'redirect':
        return redirectTo(effect.url);
    }
  };

  const onCameraScreen = () => CAMERA_SCREENS.includes(page.screen.name);
  document.addEventListener('visibilitychange', () => {
    // A hidden page gets no frames: whatever is recorded meanwhile is worthless.
    if (document.hidden && page.screen.name !== 'camera_asking') {
      dispatch({ type: 'recording_failed', why: 'interrupted' });
    }
  });
  addEventListener('pagehide', stopCamera);
  addEventListener('pageshow', (event) => {
    if (event.persisted && onCameraScreen()) dispatch({ type: 'reload' });
  });

  return { dispatch, mirrored: () => camera?.mirrored ?? true };
}
