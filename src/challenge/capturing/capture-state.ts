// What the capture page may know about its challenge.
import type { CaptureProgress, CaptureState } from '../../contract/capture-page.ts';
import type { PasskeyAsk } from '../../contract/device.ts';
import { sandboxOutcomes } from '../../contract/sandbox.ts';
import type { Capture, ClientWords, SealedRequest } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openRequest } from '../seals.ts';
import { MAX_TRIES } from '../settings.ts';
import type { LinkedChallenge } from '../tables/reads.ts';
import { consentTextVersion } from './consent-text.ts';
import { openWays } from './draw-script.ts';
import { openAskOf, waitsForPasskey } from './passkey-ask.ts';

/** The page says a round figure: it rises by as many seconds at a time. */
const SECONDS_STEP = 5;

/** @param isHere whether the device that asks is the bound one */
export async function captureStateOf(
  parts: Pick<ChallengeParts, 'custody' | 'settings' | 'usualSeconds' | 'passkeys'>,
  linked: LinkedChallenge,
  isHere: boolean,
): Promise<CaptureState> {
  const { challenge, account, capture } = linked;
  const { flow } = await openRequest(parts.custody, challenge);
  const { exit_redirect_url, alternative_url = null, style } = flow;
  const { liveness_level: level, device_binding: binding } = challenge.request;
  // How long a person takes to find the right finger is not known.
  const seconds = binding === 'off' ? (await parts.usualSeconds())[level] : undefined;
  const words: ClientWords = flow.words ?? account;
  return {
    status: challenge.status,
    expires_at: challenge.expiresAt.toISOString(),
    account: {
      display_name: words.displayName,
      privacy_url: words.privacyUrl,
      purpose: words.purpose,
    },
    consent: {
      required: challenge.request.require_consent,
      // One that was given on another device is withdrawn when this one starts.
      given: isHere && challenge.consentGivenAt !== null,
      show_checkbox: style.show_consent_checkbox ?? false,
      text_version: consentTextVersion(words),
      client_text: words.consentText ?? null,
      retention_days: parts.settings.assetRetentionDays,
    },
    style: pageStyleOf(style),
    exit_redirect_url,
    alternative_url,
    tries_left: Math.max(0, MAX_TRIES - challenge.triesUsed),
    retry_reason: capture?.rejectedReason ?? null,
    capture: capture && isOpen(capture) ? progressOf(capture, await openAskOf(parts, linked, capture)) : null,
    // Nothing is recorded in the sandbox.
    accessible_ways: challenge.sandbox
      ? []
      : openWays(parts.settings.livenessPrompts, challenge.request.accessible_way),
    usual_seconds: seconds === undefined ? null : Math.ceil(seconds / SECONDS_STEP) * SECONDS_STEP,
    device_required: binding === 'require' && !challenge.sandbox,
    device_bound: challenge.deviceTokenHash !== null,
    bound_here: isHere,
    may_start: isHere || !isRecordingUnderWay(linked),
    sandbox_outcomes: challenge.sandbox ? sandboxOutcomes(challenge.request.liveness_only) : null,
  };
}

export function pageStyleOf(style: SealedRequest['flow']['style']): CaptureState['style'] {
  return {
    primary_colour_hex: style.primary_colour_hex ?? null,
    header_text_colour_hex: style.header_text_colour_hex ?? null,
    body_text_colour_hex: style.body_text_colour_hex ?? null,
    logo: style.logo_public_url !== undefined,
    terms_of_service_url: style.terms_of_service_url ?? null,
  };
}

/** @param passkey what the device is still asked for */
export function progressOf(capture: Capture, passkey: PasskeyAsk | null): CaptureProgress {
  return {
    id: capture.id,
    state: capture.state,
    received_bytes: capture.receivedBytes,
    size_bytes: capture.sizeBytes,
    announced_slices: capture.slices.length,
    passkey,
  };
}

const isOpen = (capture: Capture): boolean => ['issued', 'committed', 'submitted'].includes(capture.state);

/** The guard `idle` of the lifecycle, for the page: only the store's own answer counts. */
function isRecordingUnderWay({ capture, readAt }: LinkedChallenge): boolean {
  if (!capture || !isOpen(capture)) return false;
  const deadline = capture.uploadDeadline ?? capture.commitDeadline;
  return capture.state === 'submitted' || isUploadComplete(capture) || deadline > readAt;
}

/**
 * Whether every byte of a committed recording has arrived and, if the device was asked, its answer. It is then stored and
 * judged.
 */
export function isUploadComplete(capture: Capture): boolean {
  const { state, receivedBytes, sizeBytes } = capture;
  return state === 'committed' && receivedBytes === sizeBytes && !waitsForPasskey(capture);
}
