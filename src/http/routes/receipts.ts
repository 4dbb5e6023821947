// Signed receipts of results, and the public keys that verify them.
import { Type } from 'typebox';
import type { ChallengeStatus } from '../../contract/states.ts';
import type { App } from '../app-type.ts';
import { COMMON_PROBLEMS, problemResponses } from '../documents/openapi.ts';
import { callerOf } from '../guards/authentication.ts';
import type { HttpServices } from '../services.ts';
import { ChallengePath } from './challenges.ts';

/** Verifiers fetch the keys again when they meet an unknown one. */
const KEYS_MAX_AGE_SECONDS = 300;

const NO_RECEIPT = {
  sandbox: 'The challenge belongs to the sandbox: nobody was judged.',
  not_judged: 'No judgement of a video was completed, or it was made before receipts existed.',
} as const;

const PublicKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: Type.String(),
      kid: Type.String(),
      alg: Type.String(),
      use: Type.Literal('sig'),
    }),
  ),
});

/** Only a completed challenge has a receipt; one that is open may still become that. */
const whyNoReceipt = (status: ChallengeStatus): string =>
  status === 'expired' || status === 'cancelled'
    ? `The challenge is ${status}: there will be no receipt.`
    : `The challenge is ${status}. Read the receipt once it is completed: its webhook says when.`;

export function receiptRoute(app: App, { challenges }: Pick<HttpServices, 'challenges'>): void {
  app.route({
    method: 'GET',
    url: '/v1/challenges/:challenge_id/receipt',
    schema: {
      operationId: 'getReceipt',
      tags: ['Challenges'],
      summary: 'Read the signed receipt of a result',
      description:
        'A compact JWS (EdDSA, Ed25519) with the hash of the video, the script, every check with its value and threshold, the hashes of the networks and the calibration, and the version. It has no template, picture or FeatureID. `likeness verify` uses it to judge the video again; the public keys are at `/.well-known/jwks.json`. The receipt is deleted with its challenge, so keep a copy.',
      params: ChallengePath,
      response: {
        200: {
          description: 'The receipt',
          content: {
            'application/jose': {
              schema: Type.String({ pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$' }),
            },
          },
        },
        ...problemResponses(...COMMON_PROBLEMS, 'not-found', 'no-receipt', 'state-conflict'),
      },
    },
    handler: async (request, reply) => {
      const outcome = await challenges.receipt(callerOf(request), request.params.challenge_id);
      if (outcome.status === 'not_found') return reply.problem('not-found');
      if (outcome.status === 'not_completed')
        return reply.problem('state-conflict', { detail: whyNoReceipt(outcome.current) });
      if (outcome.status === 'none')
        return reply.problem('no-receipt', { detail: NO_RECEIPT[outcome.because] });
      return reply.type('application/jose').send(outcome.receipt);
    },
  });
}

export function publicKeysRoute(app: App, { receiptKeys }: Pick<HttpServices, 'receiptKeys'>): void {
  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    schema: {
      operationId: 'getPublicKeys',
      tags: ['Operation'],
      summary: 'Read the public keys of receipts',
      description:
        'A JSON Web Key Set (RFC 7517): the signing key and the retired ones, newest first. Empty until the first receipt is read.',
      security: [],
      response: {
        200: { description: 'The keys', content: { 'application/json': { schema: PublicKeys } } },
        ...problemResponses('rate-limited', 'internal', 'saturated'),
      },
    },
    handler: async (_request, reply) =>
      reply
        .headers({
          'cache-control': `public, max-age=${KEYS_MAX_AGE_SECONDS}`,
          'access-control-allow-origin': '*',
        })
        .send({ keys: await receiptKeys.published() } as never),
  });
}
