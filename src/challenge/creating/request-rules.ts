// The rules of a creation request that its schema cannot express: across fields, about URLs, about FeatureIDs. They
// accept any body, so that a request with schema faults learns of these faults too: all faults at once.
import { MAX_COMPARED_FEATIDS, MAX_NOTIFICATIONS } from '../../contract/challenge-request.ts';
import { LIVENESS_LEVELS, type LivenessLevel } from '../../contract/liveness-level.ts';
import type { FeatidRefusal, FieldFault } from '../../contract/problem.ts';
import { NOTIFICATION_EVENTS } from '../../contract/states.ts';
import type { Featids } from '../../featid/featids.ts';
import type { Passkeys } from '../../passkeys/passkeys.ts';
import { referenceFaults } from '../closing/sandbox.ts';
import type { Caller } from '../services.ts';
import type { ChallengeSettings } from '../settings.ts';
import { calledUrlFaults, exitUrlFaults, webUrlFaults } from './url-rules.ts';

type UrlSettings = Pick<ChallengeSettings, 'production' | 'webhookRequireHttps' | 'refusedTarget'>;
type UrlRule = (text: string, pointer: string) => FieldFault[];

const REFUSAL_DETAILS: Record<FeatidRefusal, string> = {
  featid_invalid: 'is not a readable FeatureID',
  featid_revoked: 'was revoked',
  featid_unknown:
    'is not known to this account and region; those of the sandbox are unknown to live keys, and the other way round',
  featid_pack_retired: 'was made by a recogniser that is no longer in use',
};

/** What the rules find in a request. */
interface CheckedRequest {
  /** Every fault beyond the schema's. */
  readonly faults: FieldFault[];
  /** Ids of the FeatureIDs to compare with, in order. */
  readonly featidIds: readonly string[];
  /** The FeatureIDs paused after failed comparisons, and the time until none is paused; null if none is. */
  readonly pause: { readonly faults: FieldFault[]; readonly retryAfterSeconds: number } | null;
}

/** Applies every rule. Skips values of the wrong type, which the schema reports. */
export async function checkRequest(
  parts: {
    featids: Pick<Featids, 'check'>;
    passkeys: Pick<Passkeys, 'ofFeatids'>;
    settings: UrlSettings & Pick<ChallengeSettings, 'livenessLevel'>;
  },
  { accountId, sandbox }: Pick<Caller, 'accountId' | 'sandbox'>,
  body: unknown,
): Promise<CheckedRequest> {
  const comparison = await checkComparison(parts.featids, accountId, body);
  const faults = [
    ...(sandbox ? referenceFaults(reach(body, ['customer_reference']), reach(body, ['liveness_only'])) : []),
    ...comparison.faults,
    ...deviceFaults(body, parts.settings.livenessLevel),
    ...(sandbox ? [] : await requiredDeviceFaults(parts.passkeys, accountId, body, comparison)),
    ...urlFaults(body, ['flow_behaviour', 'exit_redirect_url'], exitUrlFaults),
    ...urlFaults(body, ['flow_behaviour', 'alternative_url'], (text, at) =>
      webUrlFaults(text, at, { httpsOnly: true }),
    ),
    ...urlFaults(body, ['flow_style', 'logo_public_url'], (text, at) => calledUrlFaults(text, at, parts)),
    ...urlFaults(body, ['flow_style', 'terms_of_service_url'], webUrlFaults),
    ...NOTIFICATION_EVENTS.flatMap((event) => {
      const configurations = reach(body, ['notifications', event]);
      if (!Array.isArray(configurations)) return [];
      return configurations
        .slice(0, MAX_NOTIFICATIONS)
        .flatMap((configuration, index) =>
          notificationFaults(configuration, `/notifications/${event}/${index}`, parts.settings),
        );
    }),
  ];
  return { ...comparison, faults };
}

/** Faults of one notification configuration of any shape, with pointers below `pointer`; also for POST /v1/webhooks/test. */
export function notificationFaults(
  configuration: unknown,
  pointer: string,
  settings: UrlSettings,
): FieldFault[] {
  const rule =
    (httpsOnly: boolean): UrlRule =>
    (text, at) =>
      calledUrlFaults(text, at, { settings, httpsOnly });
  const endpoint = rule(reach(configuration, ['type']) === 'https' || settings.webhookRequireHttps);
  const oauth = ['properties', 'authentication', 'properties', 'oauth_endpoint_url'];
  return [
    ...urlFaults(configuration, ['properties', 'endpoint_url'], endpoint, pointer),
    ...urlFaults(configuration, oauth, rule(settings.production), pointer),
  ];
}

/** What is said of devices means something only in a comparison, and with `device_binding`. */
function deviceFaults(body: unknown, defaultLevel: LivenessLevel): FieldFault[] {
  const binding = reach(body, ['device_binding']) ?? 'off';
  const isComparison = reach(body, ['liveness_only']) === false;
  const faultOf = (name: string, detail: string): FieldFault => ({
    pointer: `/${name}`,
    code: 'not_allowed_value',
    detail,
  });
  const needs = (bindings: string) => `needs device_binding ${bindings} and liveness_only false`;
  const adds = reach(body, ['allow_new_device']) === true;
  const rankOf = (level: unknown) => LIVENESS_LEVELS.indexOf(level as LivenessLevel);
  const bound = rankOf(reach(body, ['liveness_level_when_bound']));
  const without = rankOf(reach(body, ['liveness_level']) ?? defaultLevel);
  return [
    // A new device is no proof, so it is added only where the check passes without one.
    ...(adds && !(isComparison && binding === 'offer')
      ? [faultOf('allow_new_device', needs('"offer"'))]
      : []),
    ...(bound >= 0 && !(isComparison && binding !== 'off')
      ? [faultOf('liveness_level_when_bound', needs('"offer" or "require"'))]
      : []),
    // A person without the device would be judged by a level that they were not asked for.
    ...(bound > without && without >= 0
      ? [faultOf('liveness_level_when_bound', `is higher than liveness_level, ${LIVENESS_LEVELS[without]}`)]
      : []),
  ];
}

/** Without any passkey to ask for, the person would record in vain, and each time would count as a failed guess. */
async function requiredDeviceFaults(
  passkeys: Pick<Passkeys, 'ofFeatids'>,
  accountId: string,
  body: unknown,
  { featidIds, faults }: CheckedRequest,
): Promise<FieldFault[]> {
  const isAsked = reach(body, ['device_binding']) === 'require' && featidIds.length > 0;
  if (!isAsked || faults.length > 0) return [];
  const known = await passkeys.ofFeatids(accountId, featidIds);
  if (known.length > 0) return [];
  const detail = 'cannot be "require": none of the compared FeatureIDs has a device';
  return [{ pointer: '/device_binding', code: 'not_allowed_value', detail }];
}

async function checkComparison(
  featids: Pick<Featids, 'check'>,
  accountId: string,
  body: unknown,
): Promise<CheckedRequest> {
  const pointer = '/compare_to_featids';
  const given = reach(body, ['compare_to_featids']);
  const livenessOnly = reach(body, ['liveness_only']);
  if (livenessOnly === true) {
    if (!Array.isArray(given) || given.length === 0) return NOT_COMPARED;
    return only({ pointer, code: 'must_be_absent', detail: 'must be absent when liveness_only is true' });
  }
  if (livenessOnly !== false) return NOT_COMPARED;
  if (given === undefined || given === null) {
    return only({ pointer, code: 'required', detail: 'is required when liveness_only is false' });
  }
  if (!Array.isArray(given) || given.length > MAX_COMPARED_FEATIDS) return NOT_COMPARED;
  if (given.length === 0) {
    return only({
      pointer,
      code: 'too_few',
      detail: 'needs at least one FeatureID when liveness_only is false',
    });
  }
  return checkFeatids(featids, accountId, pointer, given);
}

const NOT_COMPARED: CheckedRequest = { faults: [], featidIds: [], pause: null };
const only = (fault: FieldFault): CheckedRequest => ({ ...NOT_COMPARED, faults: [fault] });

async function checkFeatids(
  featids: Pick<Featids, 'check'>,
  accountId: string,
  pointer: string,
  given: readonly unknown[],
): Promise<CheckedRequest> {
  const named = [...given.entries()].filter(
    (entry): entry is [number, string] => typeof entry[1] === 'string',
  );
  const checks = await featids.check(
    accountId,
    named.map(([, featid]) => featid),
  );
  const at = (index: number) => `${pointer}/${named[index]![0]}`;
  const faults = checks.flatMap((check, index) =>
    check.ok ? [] : [{ pointer: at(index), code: check.code, detail: REFUSAL_DETAILS[check.code] }],
  );
  const paused = checks.flatMap((check, index) =>
    check.ok && check.pausedForSeconds !== null ? [{ index, seconds: check.pausedForSeconds }] : [],
  );
  return {
    faults,
    featidIds: checks.flatMap((check) => (check.ok ? [check.id] : [])),
    pause:
      paused.length === 0
        ? null
        : {
            faults: paused.map(({ index }) => ({
              pointer: at(index),
              code: 'featid_paused',
              detail: 'is paused after failed comparisons',
            })),
            retryAfterSeconds: Math.max(...paused.map(({ seconds }) => seconds)),
          },
  };
}

function urlFaults(body: unknown, path: readonly string[], rule: UrlRule, below = ''): FieldFault[] {
  const text = reach(body, path);
  return typeof text === 'string' ? rule(text, `${below}/${path.join('/')}`) : [];
}

/** The value at a path, or undefined if something on the way is not an object. */
function reach(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
