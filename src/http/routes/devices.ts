// The devices of a FeatureID for the client's server: which there are, and revoking one.
import { Type } from 'typebox';
import type { Device } from '../../contract/device.ts';
import { Id } from '../../contract/field-types.ts';
import type { App } from '../app-type.ts';
import {
  BODY_PROBLEMS,
  COMMON_PROBLEMS,
  problemResponses,
  READING_PROBLEMS,
  refTo,
} from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import type { HttpServices } from '../services.ts';
import { FEATID_REFUSALS, NamedFeatid } from './featids.ts';

export function deviceRoutes(app: App, services: HttpServices): void {
  app.route({
    method: 'POST',
    url: '/v1/featids/devices',
    schema: {
      operationId: 'listDevices',
      tags: ['FeatureIDs'],
      summary: 'List the devices of a FeatureID',
      description:
        'The passkeys that can sign for this FeatureID (`device_binding`), oldest first, five at most. A POST, so that the FeatureID is in no log of addresses.',
      body: NamedFeatid,
      response: {
        200: Type.Object({ data: Type.Array(refTo<Device>('Device')) }),
        ...problemResponses(...COMMON_PROBLEMS, ...BODY_PROBLEMS),
      },
    },
    handler: async (request, reply) => {
      const listed = await services.passkeys.list(callerOf(request).accountId, request.body.featid);
      if (listed.ok) return reply.send({ data: listed.devices });
      const fault = { pointer: '/featid', code: listed.code, detail: FEATID_REFUSALS[listed.code] };
      return reply.problem('validation-failed', { errors: [fault] });
    },
  });
  app.route({
    method: 'DELETE',
    url: '/v1/featids/devices/:device_id',
    schema: {
      operationId: 'revokeDevice',
      tags: ['FeatureIDs'],
      summary: 'Revoke a device of a FeatureID',
      description:
        'Destroys the public key of the passkey: this device signs for the FeatureID no more. The face and other devices stay.',
      params: Type.Object({ device_id: Id('dev') }),
      response: {
        204: { type: 'null', description: 'Revoked' },
        ...problemResponses(...COMMON_PROBLEMS, ...READING_PROBLEMS, 'not-found'),
      },
    },
    handler: async (request, reply) => {
      const { accountId, actor } = callerOf(request);
      const isRevoked = await services.passkeys.revoke(accountId, request.params.device_id, actor);
      return isRevoked ? reply.code(204).send(null) : reply.problem('not-found');
    },
  });
}
