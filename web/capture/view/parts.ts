// Parts that several screens share: titles, buttons, links, the icon badge.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import { outsideAddress } from '../camera/browser-family.ts';
import type { Page } from '../flow/screens.ts';
import type { Texts } from '../texts/texts.ts';
import { h } from './dom.ts';
import { type IconName, icon } from './icons.ts';
import type { ViewContext } from './view.ts';

/** The screen's heading, which takes the focus when the screen appears. */
export function titleOf(text: string): HTMLHeadingElement {
  return h('h1', { class: 'title', id: 'screen-title', tabindex: '-1' }, text);
}

export type ButtonKind = 'primary' | 'quiet';

export interface ButtonOptions {
  readonly label: string;
  /** Stable name for tests and embedding pages: data-action. */
  readonly action: string;
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  press(click: MouseEvent): void;
}

export interface Button {
  readonly root: HTMLButtonElement;
  /** Shows work in progress; the button keeps its place, size and focus. */
  busy(label: string | null): void;
  relabel(label: string): void;
  become(kind: ButtonKind): void;
}

/** A button of at least 48 px. */
export function button({ label, action, kind = 'primary', icon: name, press }: ButtonOptions): Button {
  const text = h('span', { class: 'button__label' }, label);
  const root = h(
    'button',
    { type: 'button', class: `button button--${kind}`, 'data-action': action },
    name ? icon(name) : null,
    text,
  );
  let working = false;
  root.addEventListener('click', (click) => {
    if (!working) press(click);
  });
  return {
    root,
    relabel: (next) => {
      text.textContent = next;
    },
    become: (next) => {
      root.className = `button button--${next}`;
    },
    busy: (busyLabel) => {
      working = busyLabel !== null;
      root.toggleAttribute('data-busy', working);
      // Not `disabled`: the button would lose the focus right after being pressed.
      root.setAttribute('aria-disabled', String(working));
      text.textContent = busyLabel ?? label;
    },
  };
}

/** A link that looks like a button and leaves the page: to the exact address given, in the top window. */
export function leaveLink(label: string, url: string, kind: ButtonKind): HTMLAnchorElement {
  return h(
    'a',
    { class: `button button--${kind}`, href: url, target: '_top', 'data-action': 'leave' },
    label,
  );
}

/**
 * Link to the client's alternative for people who cannot or will not continue here; null if it named none. Opens in the
 * top window, because its page is not about this check.
 */
export function anotherWay(
  { challenge, deadLink }: Page,
  texts: Texts,
  kind: ButtonKind = 'quiet',
): HTMLAnchorElement | null {
  const url = (challenge ?? deadLink?.owner)?.alternative_url;
  if (!url) return null;
  return h(
    'a',
    { class: `button button--${kind}`, href: url, target: '_top', 'data-action': 'another-way' },
    texts.anotherWay,
  );
}

export interface LinkCopy {
  readonly button: Button;
  /** The link as text, to read and copy by hand; hidden until `showText`. */
  readonly text: HTMLElement;
  showText(): void;
}

/** Copies a link. If the browser does not allow that, as in some frames and apps, shows and selects the link itself. */
export function linkCopy(context: ViewContext, link: string): LinkCopy {
  const words = context.texts.inApp;
  const text = h('p', { class: 'address', dir: 'ltr', tabindex: '-1', hidden: true }, link);
  const showText = () => {
    text.hidden = false;
  };
  const byHand = () => {
    showText();
    text.focus();
    getSelection()?.selectAllChildren(text);
  };
  const copied = () => {
    copy.relabel(words.copied);
    context.announce(words.copied);
  };
  const copy = button({
    label: words.copy,
    action: 'copy-link',
    kind: 'quiet',
    // A missing clipboard counts as a refusal.
    press: () => void (navigator.clipboard?.writeText(link) ?? Promise.reject()).then(copied, byHand),
  });
  return { button: copy, text, showText };
}

/** Out of an app's own browser: by an address that opens the phone's browser, or by hand. */
export function outsideLinks(context: ViewContext): Node[] {
  const link = context.linkTo(null);
  const copy = linkCopy(context, link);
  const open = h(
    'a',
    {
      class: 'button button--primary',
      href: outsideAddress(link, context.browser),
      'data-action': 'open-outside',
    },
    context.texts.inApp.open,
  );
  return [open, copy.text, copy.button.root];
}

export type Tone = 'brand' | 'good' | 'warn';

/** The round picture above a message. */
export function badge(name: IconName, tone: Tone): HTMLElement {
  return h('div', { class: `badge badge--${tone}` }, icon(name));
}

/** Links to the controller's own texts; null if there are none. */
export function legalLinks(texts: Texts, challenge: CaptureState | null): HTMLElement | null {
  const links: [string, string | null][] = [
    [texts.privacyPolicy, challenge?.account.privacy_url ?? null],
    [texts.termsOfService, challenge?.style.terms_of_service_url ?? null],
  ];
  const anchors = links.flatMap(([label, url]) =>
    url === null
      ? []
      : [
          h(
            'a',
            { class: 'link', href: url, target: '_blank', rel: 'noopener noreferrer' },
            label,
            h('span', { class: 'unseen' }, ` (${texts.opensInNewTab})`),
          ),
        ],
  );
  return anchors.length === 0 ? null : h('p', { class: 'legal' }, ...anchors);
}
