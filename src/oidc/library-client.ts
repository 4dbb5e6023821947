// Converts a client to what the library expects: the metadata of OpenID Connect Dynamic Client Registration.
import type { ClientMetadata } from 'oidc-provider';
import { hasSecret } from './clients.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';
import type { OidcClient } from './tables/clients.ts';

export function libraryClient({ id, name, settings, secretHash }: OidcClient): ClientMetadata {
  // Entra takes the token from the authorization endpoint and uses no code; everybody else gets only codes.
  const isEntra = settings.profile === 'entra';
  return {
    client_id: id,
    client_name: name,
    redirect_uris: [...settings.redirect_uris],
    application_type: settings.redirect_uris.every(isWeb) ? 'web' : 'native',
    response_types: isEntra ? ['id_token'] : ['code'],
    grant_types: isEntra ? ['implicit'] : ['authorization_code'],
    token_endpoint_auth_method: isEntra ? 'none' : settings.auth_method,
    id_token_signed_response_alg: SIGNING_ALGORITHM,
    subject_type: 'public',
    ...(settings.require_par && { require_pushed_authorization_requests: true }),
    ...(settings.jwks && { jwks: { keys: [...settings.jwks.keys] } }),
    // The library requires a secret. Only `isSecretOf` compares it, and that expects a hash.
    ...(!isEntra && hasSecret(settings) && { client_secret: secretHash!.toString('base64url') }),
  };
}

const isWeb = (uri: string): boolean => uri.startsWith('https:');
