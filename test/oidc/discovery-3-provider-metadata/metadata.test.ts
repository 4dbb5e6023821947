// The guides against the provider: the realm export for Keycloak matches the discovery document.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

const guides = resolve(import.meta.dirname, '..', '..', '..', 'docs', 'guides');
const realm = resolve(import.meta.dirname, '..', '..', '..', 'examples', 'keycloak', 'realm.json');
const read = (name: string) => readFileSync(join(guides, name), 'utf8');

let rig: OidcRig;
let discovery: Record<string, string | string[]>;
beforeAll(async () => {
  rig = await createOidcRig();
  const answer = await rig.browser().fetch(`${rig.issuer}/.well-known/openid-configuration`);
  discovery = (await answer.json()) as typeof discovery;
});
afterAll(() => rig?.close());

describe('the realm export for Keycloak', () => {
  it('agrees with the discovery document, field by field', () => {
    const text = readFileSync(realm, 'utf8').replaceAll('https://faces.example', rig.baseUrl);
    const [provider] = JSON.parse(text).identityProviders;
    const { config } = provider;
    expect(provider).toMatchObject({ providerId: 'oidc', alias: 'likeness', enabled: true });
    expect(config.issuer).toBe(discovery.issuer);
    expect(config.authorizationUrl).toBe(discovery.authorization_endpoint);
    expect(config.tokenUrl).toBe(discovery.token_endpoint);
    expect(config.userInfoUrl).toBe(discovery.userinfo_endpoint);
    expect(config.jwksUrl).toBe(discovery.jwks_uri);
    expect(discovery.token_endpoint_auth_methods_supported).toContain(config.clientAuthMethod);
    expect(discovery.code_challenge_methods_supported).toEqual([config.pkceMethod]);
    expect([config.pkceEnabled, config.validateSignature, config.useJwksUrl]).toEqual([
      'true',
      'true',
      'true',
    ]);
    for (const scope of config.defaultScope.split(' ')) expect(discovery.scopes_supported).toContain(scope);
  });
});

describe('the guide for Okta', () => {
  it('names existing endpoints and scopes', () => {
    const text = read('login-okta.md').replaceAll('https://faces.example', rig.baseUrl);
    for (const name of [
      'issuer',
      'authorization_endpoint',
      'pushed_authorization_request_endpoint',
      'token_endpoint',
      'jwks_uri',
    ]) {
      expect(text).toContain(`\`${discovery[name]}\``);
    }
    const [, scopes] = /\| Scopes \| `([^`]+)` \|/.exec(text)!;
    for (const scope of scopes!.split(' ')) expect(discovery.scopes_supported).toContain(scope);
    expect(discovery.trust_frameworks_supported).toContain('IDV-DELEGATED');
  });
});

describe('discovery', () => {
  it('announces what is supported, and nothing that is off', () => {
    expect(discovery).toMatchObject({
      issuer: rig.issuer,
      response_types_supported: ['code', 'id_token'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      verified_claims_supported: true,
      subject_types_supported: ['public'],
    });
    expect(discovery.acr_values_supported).toEqual(
      expect.arrayContaining(['urn:likeness:face', 'urn:likeness:face_and_device', 'urn:likeness:sandbox']),
    );
    expect(discovery.request_object_signing_alg_values_supported).not.toContain('none');
    for (const gone of ['registration_endpoint', 'end_session_endpoint', 'introspection_endpoint']) {
      expect(discovery).not.toHaveProperty(gone);
    }
  });
});
