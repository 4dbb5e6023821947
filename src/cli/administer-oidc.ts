// Shared by the commands of `likeness oidc`.
import type { Foundation } from '../composition/foundation.ts';
import { composeOidcAdministration, type OidcAdministration } from '../composition/oidc.ts';
import { withFoundation } from './with-foundation.ts';

/** Runs `work` with the operator's administration of the OpenID Provider. */
export function administerOidc<T>(
  work: (oidc: OidcAdministration, foundation: Foundation) => Promise<T>,
): Promise<T> {
  return withFoundation(async (foundation) => work(await composeOidcAdministration(foundation), foundation));
}
