// In development mode, the front page creates challenges in the development account.
import { Fault } from '../../base/errors.ts';
import type { ChallengeServices } from '../../challenge/services.ts';
import type { HttpServices } from '../../http/services.ts';
import type { Foundation } from '../foundation.ts';
import { ensureDevCredentials } from './credentials.ts';
import { localBaseUrl } from './dev-tls.ts';

/** Actor in the audit log. */
const ACTOR = 'front page';

/** Null outside development. */
export function composeTrial(foundation: Foundation, challenges: ChallengeServices): HttpServices['trial'] {
  const { config, accounts } = foundation;
  if (config.MODE !== 'development') return null;
  return async (sandbox) => {
    const { credentials } = await ensureDevCredentials(foundation, localBaseUrl(config));
    const account = sandbox ? await accounts.findSandboxOf(credentials.account) : { id: credentials.account };
    if (!account) throw new Fault('INVARIANT', 'the development account has no sandbox');
    const caller = { accountId: account.id, actor: ACTOR, sandbox };
    const outcome = await challenges.create(caller, { body: { liveness_only: true } });
    if (outcome.status !== 'created') throw new Fault('INVARIANT', `a trial challenge is ${outcome.status}`);
    return outcome.response;
  };
}
