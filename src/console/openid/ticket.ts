// What the browser carries through a sign-in by OpenID Connect, sealed: it ties the provider's answer to the browser that
// was sent there, and to the settings that sent it.
import type { Clock } from '../../base/clock.ts';
import type { Custody } from '../../keys/account-keys.ts';
import { CONSOLE_HOLDER } from '../holder.ts';

const PURPOSE = 'console-openid-ticket';
/** For passwords, second factors and consents at the provider. Chosen, not measured. */
export const TICKET_SECONDS = 600;

export interface Ticket {
  /** Id of the settings. */
  readonly openidId: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Tickets {
  issue(ticket: Ticket): Promise<string>;
  /** Null for anything but a ticket of ours that is still valid. */
  open(text: string): Promise<Ticket | null>;
}

export function createTickets(custody: Custody, clock: Clock): Tickets {
  return {
    issue: async (ticket) => {
      const content = { ...ticket, untilMs: clock.now().getTime() + TICKET_SECONDS * 1000 };
      const bytes = Buffer.from(JSON.stringify(content));
      return (await custody.seal(CONSOLE_HOLDER, PURPOSE, bytes, PURPOSE)).toString('base64url');
    },
    open: async (text) => {
      const sealed = Buffer.from(text, 'base64url');
      const opened = await custody.open(CONSOLE_HOLDER, PURPOSE, sealed, PURPOSE).catch(() => null);
      if (!opened) return null;
      const { untilMs, ...ticket } = JSON.parse(opened.toString('utf8')) as Ticket & { untilMs: number };
      return clock.now().getTime() < untilMs ? ticket : null;
    },
  };
}
