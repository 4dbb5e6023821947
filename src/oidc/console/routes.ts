// The console's page of logins: its routes below /console/api, for clients of the OpenID Provider.
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Id } from '../../contract/field-types.ts';
import type { App } from '../../http/app-type.ts';
import { openTo, operatorOf } from '../../http/guards/console-guard.ts';
import type { ConsolePage } from '../../http/services.ts';
import { CLIENT_ID_PREFIX } from '../clients.ts';
import { type ConsoleLogins, createConsoleLogins, type LoginParts } from './logins.ts';
import { ErasureOfPerson, LoginTexts, NewLoginClient } from './messages.ts';

const ClientPath = Type.Object({ client_id: Id(CLIENT_ID_PREFIX) });

/** The page that the login adds to the console. */
export const loginsPage = (parts: LoginParts): ConsolePage => ({
  path: '/logins',
  routes: (app, consoleOf) =>
    loginRoutes(app, (request) =>
      createConsoleLogins(parts, operatorOf(request), () => consoleOf(request).noteView('logins.viewed')),
    ),
});

/** `loginsOf`: the logins as the request's session sees them. */
function loginRoutes(app: App, loginsOf: (request: FastifyRequest) => ConsoleLogins): void {
  app.get('/logins', openTo('viewer'), async (request) => ({ data: await loginsOf(request).list() }));
  app.post('/logins', openTo('administrator', { body: NewLoginClient }), async (request, reply) => {
    const added = await loginsOf(request).add(request.body);
    switch (added.status) {
      case 'added':
        return reply.code(201).send(added.made);
      case 'invalid':
        return reply.problem('bad-request', { detail: `${added.faults.join('; ')}.` });
      case 'name_taken':
        return reply.problem('state-conflict', {
          detail: 'The account already has a client with this name.',
        });
      default:
        return reply.problem('not-found');
    }
  });
  app.put(
    '/logins/:client_id/texts',
    openTo('administrator', { params: ClientPath, body: LoginTexts }),
    async (request, reply) => {
      const changed = await loginsOf(request).reword(request.params.client_id, request.body);
      switch (changed.status) {
        case 'changed':
          return reply.code(204).send(null);
        case 'invalid':
          return reply.problem('bad-request', { detail: `${changed.faults.join('; ')}.` });
        default:
          return reply.problem('not-found');
      }
    },
  );
  app.post(
    '/logins/:client_id/secret',
    openTo('administrator', { params: ClientPath }),
    async (request, reply) => {
      const made = await loginsOf(request).replaceSecret(request.params.client_id);
      return made ? reply.code(201).send(made) : reply.problem('not-found');
    },
  );
  app.delete(
    '/logins/:client_id',
    openTo('administrator', { params: ClientPath }),
    async (request, reply) => {
      const removed = await loginsOf(request).remove(request.params.client_id);
      return removed ? reply.code(204).send(null) : reply.problem('not-found');
    },
  );
  app.post(
    '/logins/:client_id/erasures',
    openTo('administrator', { params: ClientPath, body: ErasureOfPerson }),
    async (request, reply) => {
      const erased = await loginsOf(request).erasePerson(request.params.client_id, request.body);
      return erased ?? reply.problem('not-found', { detail: 'The client knows nobody by this name.' });
    },
  );
}
