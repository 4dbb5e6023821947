// /console/api: signing in and out. Attempts are limited per address and overall, before the body is read. The overall
// limit does not count attempts from this machine, so that nobody can lock the operator out by guessing.
import { csrfTokenOf } from '../../console/sessions.ts';
import type { SignIn } from '../../console/sign-in.ts';
import {
  type ConsolePerson,
  type ConsoleSession,
  type ConsoleSignIn,
  LoginRequest,
} from '../../contract/console.ts';
import type { App } from '../app-type.ts';
import type { ConsoleCookies } from '../guards/console-cookies.ts';
import { openTo, operatorOf, personOf } from '../guards/console-guard.ts';
import { addressOf, createRateCounter, isFromThisMachine } from '../guards/rate-limits.ts';
import type { ConsoleServices } from '../services.ts';
import type { HttpSettings } from '../settings.ts';

/**
 * Chosen, not measured. NIST SP 800-63B-4 §3.2.2 allows 100 failures in a row. At 120 attempts an hour, an attacker who
 * knows the password guesses one of the three valid codes (of 10^6) with a probability of 0.9 % a day.
 */
const WINDOW_MS = 10 * 60_000;
/** Sign-in attempts per window from one address. */
const MAX_ATTEMPTS_OF_ONE = 5;
/** Sign-in attempts per window from all other machines together. */
const MAX_ATTEMPTS_OF_ALL = 20;
/** Enough for a password and a code; nothing larger is read. */
const BODY_BYTES = 8_192;
/** About the time in which the longest queue of attempts drains. */
const RETRY_WHEN_BUSY_SECONDS = 3;

const hide = true;

/** Routes that need no session. */
export function signInRoutes(
  app: App,
  services: ConsoleServices,
  settings: HttpSettings,
  cookies: ConsoleCookies,
): void {
  const countByAddress = createRateCounter(app, {
    max: MAX_ATTEMPTS_OF_ONE,
    windowMs: WINDOW_MS,
    detail: 'Too many sign-ins from here.',
    countedBy: addressOf,
  });
  const countAll = createRateCounter(app, {
    max: MAX_ATTEMPTS_OF_ALL,
    windowMs: WINDOW_MS,
    detail: 'Somebody is guessing passwords. You can sign in through a tunnel to the machine.',
    countedBy: () => 'all',
  });

  app.get('/sign-in', { schema: { hide } }, async (_request, reply) => {
    const { signIn, openid } = services;
    const answer: ConsoleSignIn = {
      password: signIn !== null,
      needs_code: signIn?.needsCode ?? false,
      openid: await openid.shown(),
    };
    return reply.send(answer);
  });
  const { signIn } = services;
  if (!signIn) return;
  app.post(
    '/login',
    {
      schema: { hide, body: LoginRequest },
      bodyLimit: BODY_BYTES,
      onRequest: async (request, reply) => {
        await countByAddress(request, reply);
        if (!isFromThisMachine(request)) await countAll(request, reply);
      },
    },
    async (request, reply) => {
      const outcome = await signIn.attempt(request.body);
      if (outcome.status === 'busy') {
        return reply.problem('saturated', { retryAfterSeconds: RETRY_WHEN_BUSY_SECONDS });
      }
      if (outcome.status === 'wrong') {
        const console = services.consoleOf('operator');
        await console.note(outcome.knewPassword ? 'console.code_refused' : 'console.login_refused');
        return reply.problem('unauthorized', { detail: refusalOf(signIn) });
      }
      const person: ConsolePerson = { name: null, role: 'administrator' };
      const { id, token } = (await services.sessions.open({ role: person.role, openid: null }))!;
      await services.consoleOf(id).note('console.login', { way: 'password' });
      cookies.session.set(request, reply, token);
      return reply.send(sessionOf(token, person, services, settings));
    },
  );
}

const refusalOf = ({ needsCode }: SignIn): string =>
  needsCode
    ? 'The password or the code is wrong. A code works once: wait for the next one.'
    : 'That is not the password.';

const sessionOf = (
  token: string,
  { name, role }: ConsolePerson,
  { furtherPages }: Pick<ConsoleServices, 'furtherPages'>,
  settings: HttpSettings,
): ConsoleSession => ({
  csrf_token: csrfTokenOf(token),
  region: settings.region,
  version: settings.version,
  further_pages: furtherPages.map(({ path }) => path),
  person: { name, role },
});

/** Routes with which a session reads itself, and ends itself or all sessions. */
export function sessionRoutes(
  app: App,
  services: ConsoleServices,
  settings: HttpSettings,
  cookies: ConsoleCookies,
): void {
  app.get('/session', openTo('viewer'), async (request) =>
    sessionOf(cookies.session.of(request), personOf(request), services, settings),
  );
  app.post('/logout', openTo('viewer'), async (request, reply) => {
    await services.sessions.close(cookies.session.of(request));
    await services.consoleOf(operatorOf(request)).note('console.logout');
    cookies.session.clear(request, reply);
    return reply.code(204).send();
  });
  app.post('/logout-everywhere', openTo('administrator'), async (request, reply) => {
    await services.sessions.closeAll();
    await services.consoleOf(operatorOf(request)).note('console.logout_everywhere');
    cookies.session.clear(request, reply);
    return reply.code(204).send();
  });
}
