// Whose key seals what is the provider's own and no account's: records, logins in progress, signing keys.
import { serviceHolder } from '../keys/service-holder.ts';

export const PROVIDER_HOLDER = serviceHolder('oidc');
