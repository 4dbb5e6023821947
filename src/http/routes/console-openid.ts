// /console/api: signing in by OpenID Connect. Both addresses are visited by the browser itself, which ends at the console's
// page again, whatever happened.
import type { FastifyReply } from 'fastify';
import type { OpenidOutcome } from '../../console/openid/sign-in.ts';
import type { OpenidPerson } from '../../console/people.ts';
import { OPENID_SIGN_IN, type OpenidRefusal } from '../../contract/console.ts';
import type { App } from '../app-type.ts';
import type { ConsoleCookies } from '../guards/console-cookies.ts';
import { addressOf, createRateCounter } from '../guards/rate-limits.ts';
import type { ConsoleServices } from '../services.ts';

/** Each visit may cost a request to the provider. Chosen, not measured. */
const WINDOW_MS = 10 * 60_000;
const MAX_VISITS_OF_ONE = 30;

const hide = true;
const PATH = OPENID_SIGN_IN.replace('/console/api', '');

export function openidRoutes(app: App, services: ConsoleServices, { session, ticket }: ConsoleCookies): void {
  const { openid } = services;
  const onRequest = createRateCounter(app, {
    max: MAX_VISITS_OF_ONE,
    windowMs: WINDOW_MS,
    detail: 'Too many sign-ins from here.',
    countedBy: addressOf,
  });
  app.get(PATH, { schema: { hide }, onRequest }, async (request, reply) => {
    const begun = await openid.begin();
    if (!begun) return backTo(reply, await openid.consoleUrl(), 'unavailable');
    ticket.set(request, reply, begun.ticket);
    return reply.redirect(begun.address);
  });
  app.get(`${PATH}/callback`, { schema: { hide }, onRequest }, async (request, reply) => {
    const consoleUrl = await openid.consoleUrl();
    const [query = ''] = /\?.*$/.exec(request.url) ?? [];
    const outcome = await openid.finish(ticket.of(request), query);
    ticket.clear(request, reply);
    const opened = outcome.status === 'signed_in' ? await openSession(services, outcome) : null;
    if (opened) {
      session.set(request, reply, opened.token);
      return backTo(reply, consoleUrl, null);
    }
    if (outcome.status === 'no_role') await noteRefusal(services, outcome.person);
    return backTo(reply, consoleUrl, outcome.status === 'signed_in' ? 'expired' : outcome.status);
  });
}

/** Null if the settings were replaced meanwhile. */
async function openSession(
  { sessions, consoleOf }: Pick<ConsoleServices, 'sessions' | 'consoleOf'>,
  { person, role }: Extract<OpenidOutcome, { status: 'signed_in' }>,
): Promise<{ token: string } | null> {
  const opened = await sessions.open({ role, openid: person });
  const { name, subject } = person;
  // The log's list names the person behind a session by this line.
  if (opened) await consoleOf(opened.id).note('console.login', { way: 'openid', name, subject, role });
  return opened;
}

/**
 * Who lost their role loses their sessions with it. Other refusals are in the service's log alone: anybody can come back
 * with a wrong answer, and the audit log is kept for long.
 */
async function noteRefusal(
  { sessions, consoleOf }: Pick<ConsoleServices, 'sessions' | 'consoleOf'>,
  person: OpenidPerson,
): Promise<void> {
  await sessions.closeOf(person);
  const { name, subject } = person;
  await consoleOf('operator').note('console.login_refused', {
    way: 'openid',
    reason: 'no_role',
    name,
    subject,
  });
}

function backTo(reply: FastifyReply, consoleUrl: string | null, refusal: OpenidRefusal | null): FastifyReply {
  if (consoleUrl === null) return reply.problem('not-found');
  return reply.redirect(`${consoleUrl}/console${refusal === null ? '' : `?sign_in=${refusal}`}`);
}
