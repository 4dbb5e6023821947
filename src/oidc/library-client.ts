// A client as the library knows it: the metadata of OpenID Connect Dynamic Client Registration.
import type { ClientMetadata } from 'oidc-provider';
import { hasSecret } from './clients.ts';
import type { OidcClient } from './ports.ts';
import { SIGNING_ALGORITHM } from './signing-keys.ts';

export function libraryClient({ id, name, settings, secretHash }: OidcClient): ClientMetadata {
  // Entra asks the authorization endpoint for the token and has no use for a code; everybody else gets codes alone.
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
    // The library wants one. It is compared by `isSecretOf` alone, which knows a hash for what it is.
    ...(!isEntra && hasSecret(settings) && { client_secret: secretHash!.toString('base64url') }),
  };
}

const isWeb = (uri: string): boolean => uri.startsWith('https:');
