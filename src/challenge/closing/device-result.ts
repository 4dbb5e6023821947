// `device_result`, and what becomes of the passkey, once it is known which FeatureIDs the face matches.
import { type DeviceResult, MAX_DEVICES } from '../../contract/device.ts';
import type { PasskeyUse } from '../../passkeys/tables/store.ts';
import type { NewKey } from '../../passkeys/verify.ts';
import type { PasskeyFinding } from './passkey-finding.ts';

/** What a challenge's end does with passkeys. */
export interface DeviceOutcome {
  readonly result: DeviceResult;
  /** The signature to note; null if none counts. */
  readonly use: PasskeyUse | null;
  /** The passkey to add, and to which FeatureID; null if none. */
  readonly add: { readonly key: NewKey; readonly featidId: string } | null;
}

/** What else is known of the challenge's end. */
export interface Ended {
  /** The FeatureID that it makes; null if none. */
  readonly enrolledId: string | null;
  readonly isEnrolment: boolean;
  /** Whether the liveness checks passed: a spoof must not add a device. */
  readonly isLive: boolean;
  /** Whether less was asked of the person because a device would sign: no other device may be added on that. */
  readonly isLowered: boolean;
  /** The FeatureIDs that the face matches, in order. */
  readonly matchedIds: readonly string[];
  readonly now: Date;
}

/** The outcome of a finding. A face that matches nothing is bound to nothing, whatever the device signed. */
export function deviceOutcome(finding: PasskeyFinding, ended: Ended): DeviceOutcome {
  const { isEnrolment, isLive, isLowered, enrolledId, matchedIds, now } = ended;
  switch (finding.status) {
    case 'unavailable':
    case 'failed':
      return nothing(finding.status);
    case 'none':
      return nothing(matchedIds.some((id) => finding.devices.has(id)) ? 'new' : 'none');
    case 'signed': {
      const { passkey, signCount, backedUp } = finding;
      if (!matchedIds.includes(passkey.featidId)) return nothing('failed');
      const result = { status: 'bound', backed_up: backedUp, credential_since: passkey.since } as const;
      return { result, use: { id: passkey.id, signCount }, add: null };
    }
    case 'made': {
      if (!isLive || (isEnrolment ? enrolledId === null : matchedIds.length === 0)) return nothing('none');
      if (isLowered) return nothing('new');
      const featidId = isEnrolment ? enrolledId : withRoom(finding.devices, matchedIds);
      if (featidId === null) return nothing('failed');
      const status = isEnrolment ? 'bound' : 'new';
      const { key } = finding;
      const result = { status, backed_up: key.backedUp, credential_since: now.toISOString() } as const;
      return { result, use: null, add: { key, featidId } };
    }
  }
}

/**
 * Where a new passkey goes: preferably to a FeatureID that has some, as they were when the recording was settled. Null if
 * each has as many as it may have.
 */
function withRoom(devices: PasskeyFinding['devices'], matchedIds: readonly string[]): string | null {
  const open = matchedIds.filter((id) => (devices.get(id) ?? 0) < MAX_DEVICES);
  return open.find((id) => devices.has(id)) ?? open[0] ?? null;
}

const nothing = (status: DeviceResult['status']): DeviceOutcome => ({
  result: { status, backed_up: null, credential_since: null },
  use: null,
  add: null,
});
