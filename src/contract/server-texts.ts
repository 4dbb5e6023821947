// What the server itself says to the person, in each language: the page's build writes it (web/capture/build), the
// server reads it beside index.html.

/** Kinds of dead links. */
export const DEAD_LINKS = ['unknown', 'completed', 'expired', 'cancelled', 'busy', 'failed'] as const;
export type DeadLinkKind = (typeof DEAD_LINKS)[number];

/** The server's texts in one language. */
export interface ServerTexts {
  readonly direction: 'ltr' | 'rtl';
  readonly documentTitle: string;
  /** Shown where scripts are blocked. */
  readonly noScript: string;
  /** Shown where the page's script has not come for a while, above a link that loads the page again. */
  readonly late: string;
  readonly retry: string;
  /** Link from a dead end to where the person came from. */
  readonly goBack: string;
  readonly deadLinks: Readonly<Record<DeadLinkKind, { readonly title: string; readonly body: string }>>;
}
