// Keeps the settings of sign-in by OpenID Connect, the client secret sealed.
import { newIdOf } from '../../base/ids.ts';
import type { Custody } from '../../keys/account-keys.ts';
import { CONSOLE_HOLDER } from '../holder.ts';
import type { OpenidInForce, OpenidSettings } from '../openid-settings.ts';
import type { OpenidStore } from '../tables/openid-store.ts';

const PURPOSE = 'console-openid-client-secret';
const ID_PREFIX = 'opn';

export interface OpenidConfiguration {
  /** Null if sign-in by OpenID Connect is not set up. */
  read(): Promise<OpenidInForce | null>;
  /** Null if the settings were replaced meanwhile. */
  clientSecret(id: string): Promise<string | null>;
  /** Replaces the settings; sessions that were opened under earlier ones end. */
  set(settings: OpenidSettings, clientSecret: string, actor: string): Promise<void>;
  /** False if there are none. Sessions that were opened under them end. */
  remove(actor: string): Promise<boolean>;
}

export function createOpenidConfiguration(store: OpenidStore, custody: Custody): OpenidConfiguration {
  return {
    read: () => store.read(),
    clientSecret: async (id) => {
      const sealed = await store.readSecret(id);
      return sealed && (await custody.open(CONSOLE_HOLDER, PURPOSE, sealed, id)).toString('utf8');
    },
    set: async (settings, clientSecret, actor) => {
      const id = newIdOf(ID_PREFIX);
      const sealed = await custody.seal(CONSOLE_HOLDER, PURPOSE, Buffer.from(clientSecret), id);
      await store.replace({ id, ...settings }, sealed, actor);
    },
    remove: (actor) => store.remove(actor),
  };
}
