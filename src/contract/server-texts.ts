// What the server itself tells the person, in each language. The page's build (web/capture/build) writes these texts
// next to index.html, where the server reads them.

/** Kinds of dead links. */
export const DEAD_LINKS = ['unknown', 'completed', 'expired', 'cancelled', 'busy', 'failed'] as const;
export type DeadLinkKind = (typeof DEAD_LINKS)[number];

/** The server's texts in one language. */
export interface ServerTexts {
  readonly direction: 'ltr' | 'rtl';
  readonly documentTitle: string;
  /** Shown if scripts are blocked. */
  readonly noScript: string;
  /** Shown if the page's script has not run for a while, above a link that reloads the page. */
  readonly late: string;
  readonly retry: string;
  /** Link from a dead end to where the person came from. */
  readonly goBack: string;
  readonly deadLinks: Readonly<Record<DeadLinkKind, { readonly title: string; readonly body: string }>>;
}
