// What the page behind a dead link gets in place of a challenge's state.
import type { CaptureState } from './capture-page.ts';
import type { DeadLinkKind } from './server-texts.ts';

/** `%STATE%` of the page behind a dead link: only whose check it was, if that is still known. */
export interface DeadLinkState {
  readonly dead_link: DeadLinkKind;
  readonly owner:
    | (Pick<CaptureState, 'style' | 'exit_redirect_url' | 'alternative_url'> & {
        readonly account: { readonly display_name: string };
      })
    | null;
}
