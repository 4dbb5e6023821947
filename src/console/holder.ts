// Whose key seals what is the console's own and no account's: the client secret and sign-ins in progress.
import { serviceHolder } from '../keys/service-holder.ts';

export const CONSOLE_HOLDER = serviceHolder('console');
