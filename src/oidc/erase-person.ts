// Forgets a person at a client: the client's subject, and every check of the person there.
import type { Caller, ChallengeServices } from '../challenge/services.ts';
import type { Subject, Subjects } from './subjects.ts';
import type { OidcClient } from './tables/clients.ts';

const PAGE = 100;

/**
 * Erases a person's subject, the FeatureID if a login enrolled it, and the videos and results of all checks that are
 * still kept.
 * @param checks from Subjects.checksOf or from the subject itself
 * @returns whether the client knew the person, and the number of erased checks
 */
export async function erasePerson(
  parts: {
    readonly subjects: Pick<Subjects, 'erase'>;
    readonly challenges: Pick<ChallengeServices, 'list' | 'erase'>;
  },
  client: OidcClient,
  { subject, checks }: { readonly subject: Subject | null; readonly checks: string },
  actor: string,
): Promise<{ wasKnown: boolean; checks: number }> {
  // The subject first: after that, no login verifies this person any more.
  const wasKnown = subject !== null && (await parts.subjects.erase(client.id, subject.id, actor));
  const caller = {
    accountId: client.accountId,
    actor,
    sandbox: client.settings.profile === 'sandbox',
  };
  let erased = 0;
  for (;;) {
    const now = await erasePage(parts.challenges, caller, checks);
    erased += now;
    if (now === 0) return { wasKnown, checks: erased };
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
