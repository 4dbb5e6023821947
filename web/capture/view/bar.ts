// The bar above every screen: the client's name; on the right the voice switch and the exit.
import type { DeadLinkState } from '../../../src/contract/dead-link.ts';
import {
  LEAST_LOGO_CONTRAST,
  type LogoPlate,
  MEASURED_SIDE_PX,
  plateOf,
} from '../../../src/contract/logo-plate.ts';
import { LEAVABLE } from '../flow/machine.ts';
import type { Page } from '../flow/screens.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';
import type { ViewContext } from './view.ts';

export interface Bar {
  readonly root: HTMLElement;
  show(page: Page): void;
  /** Shows the voice switch once the browser has found a voice. */
  refresh(): void;
}

/**
 * Creates the bar.
 * @param logoUrl this challenge's logo, on our own origin
 */
export function createBar(context: Omit<ViewContext, 'announce'>, logoUrl: string): Bar {
  const { texts, voice, dispatch } = context;
  const who = h('div', { class: 'bar__who' });
  const badge = h('span', { class: 'bar__sandbox', hidden: true }, texts.sandbox.badge);
  const speak = h(
    'button',
    { type: 'button', class: 'tool', 'data-action': 'voice', 'aria-label': texts.voice, title: texts.voice },
    icon('voice'),
  );
  const leave = h(
    'button',
    {
      type: 'button',
      class: 'tool',
      'data-action': 'leave-check',
      'aria-label': texts.left.button,
      title: texts.left.button,
    },
    icon('cross'),
  );
  const root = h('header', { class: 'bar' }, who, h('div', { class: 'bar__tools' }, badge, speak, leave));
  const showVoice = () => {
    speak.hidden = !voice.available();
    speak.setAttribute('aria-pressed', String(voice.isOn()));
  };
  speak.addEventListener('click', () => {
    voice.toggle();
    showVoice();
    voice.say(document.querySelector('#screen-title')?.textContent ?? '');
  });
  leave.addEventListener('click', () => dispatch({ type: 'leave' }));
  showVoice();

  let named: string | null = null;
  const nameAccount = (owner: NonNullable<DeadLinkState['owner']>) => {
    const { display_name } = owner.account;
    const key = `${display_name} ${owner.style.logo}`;
    if (key === named) return;
    named = key;
    const name = h('span', { class: 'bar__name', dir: 'auto' }, display_name);
    who.replaceChildren(owner.style.logo ? logo(logoUrl, display_name, name) : name);
  };
  return {
    root,
    show: ({ challenge, deadLink, screen }) => {
      const owner = challenge ?? deadLink?.owner;
      if (owner) nameAccount(owner);
      badge.hidden = !challenge?.sandbox_outcomes;
      leave.hidden = screen.name === 'start' || !LEAVABLE.includes(screen.name);
    },
    refresh: showVoice,
  };
}

/**
 * The logo in a box of fixed height, on the plate that it needs; the account's name replaces it until it has loaded, if it
 * does not, and if nobody could see it.
 */
function logo(url: string, name: string, fallback: HTMLElement): HTMLElement {
  const image = h('img', { class: 'logo__image', alt: name, decoding: 'async', hidden: true });
  const box = h('span', { class: 'logo' }, fallback, image);
  image.addEventListener('load', () => {
    const { plate, contrast } = measured(image);
    if (contrast < LEAST_LOGO_CONTRAST) return image.remove();
    image.hidden = false;
    fallback.remove();
    box.dataset.plate = plate;
  });
  image.src = url;
  return box;
}

function measured(image: HTMLImageElement): LogoPlate {
  const side = MEASURED_SIDE_PX;
  const canvas = h('canvas', { width: side, height: side });
  const context = canvas.getContext('2d')!;
  context.drawImage(image, 0, 0, side, side);
  return plateOf(context.getImageData(0, 0, side, side).data, side, side);
}
