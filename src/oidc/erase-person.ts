// Forgets a person at a client: the client's subject, and every check of the person there.
import type { Caller, ChallengeServices } from '../challenge/services.ts';
import type { ErasureOfPerson } from './console/messages.ts';
import type { Subjects } from './subjects.ts';
import type { OidcClient } from './tables/clients.ts';

const PAGE = 100;

interface Parts {
  readonly subjects: Pick<Subjects, 'erase' | 'findBySub' | 'findByName' | 'checksOf'>;
  readonly challenges: Pick<ChallengeServices, 'list' | 'erase'>;
}

/**
 * Erases a person's subject, the FeatureID if a login enrolled it, and the videos and results of all checks that are
 * still kept.
 * @returns the number of erased checks; null if the client knows nobody by this name
 */
export async function erasePerson(
  parts: Parts,
  client: OidcClient,
  { named_by: by, name }: ErasureOfPerson,
  actor: string,
): Promise<number | null> {
  const { subjects } = parts;
  const person = by === 'sub' ? null : { source: by, name };
  const subject = person ? await subjects.findByName(client, person) : await subjects.findBySub(client, name);
  const checks = subject?.checks ?? (person && (await subjects.checksOf(client, person)));
  if (checks === null) return null;
  const caller = {
    accountId: client.accountId,
    actor,
    sandbox: client.settings.profile === 'sandbox',
  };
  // The subject after its checks: if this fails in between, `sub` still finds them.
  const before = await eraseChecks(parts.challenges, caller, checks);
  const wasKnown = subject !== null && (await subjects.erase(client.id, subject.id, actor));
  // Those of logins that began meanwhile.
  const erased = before + (await eraseChecks(parts.challenges, caller, checks));
  return wasKnown || erased > 0 ? erased : null;
}

async function eraseChecks(
  challenges: Pick<ChallengeServices, 'list' | 'erase'>,
  caller: Caller,
  reference: string,
): Promise<number> {
  for (let erased = 0; ; ) {
    const now = await erasePage(challenges, caller, reference);
    erased += now;
    if (now === 0) return erased;
  }
}

/** Erases a page of checks concurrently. */
async function erasePage(
  challenges: Pick<ChallengeServices, 'list' | 'erase'>,
  caller: Caller,
  reference: string,
): Promise<number> {
  const listed = await challenges.list(caller, { customer_reference: reference, limit: PAGE });
  if (listed.status !== 'ok') return 0;
  const outcomes = await Promise.all(listed.data.map(({ challenge_id: id }) => challenges.erase(caller, id)));
  return outcomes.filter(({ status }) => status === 'erased').length;
}
