// The wait for the browser's camera permission prompt.
import { askingPlace, browserFamily } from '../camera/browser-family.ts';
import type { Page } from '../flow/screens.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';
import { button, titleOf } from './parts.ts';
import type { MakeView } from './view.ts';

/** While the browser asks: where to look and what to press; after a while, how to be asked again. */
export const askingView: MakeView = (page, context) => {
  const { asking } = context.texts;
  const place = askingPlace(browserFamily(context.browser));
  const slow = h('p', { class: 'note', hidden: true }, asking.slow);
  const retry = button({
    label: asking.retry,
    action: 'ask-again',
    press: () => context.dispatch({ type: 'open_camera' }),
  });
  const actions = h('div', { class: 'actions', hidden: true }, retry.root);
  const root = h(
    'div',
    { class: 'screen screen--message', 'data-place': place },
    h(
      'div',
      { class: 'screen__content' },
      h(
        'div',
        { class: 'permission', 'aria-hidden': 'true' },
        h(
          'div',
          { class: 'permission__bar' },
          h('span', { class: 'permission__dot' }),
          h('span', { class: 'permission__address' }),
        ),
        h(
          'div',
          { class: 'permission__question' },
          h('span', { class: 'permission__icon' }, icon('camera')),
          h('span', { class: 'permission__line' }),
          h('span', { class: 'permission__allow' }, asking.illustrationAllow),
        ),
      ),
      titleOf(asking.title),
      h('p', { class: 'lead' }, asking.where[place]),
      h('p', { class: 'note' }, asking.body),
      slow,
    ),
    actions,
  );
  const update = ({ screen }: Page) => {
    const isSlow = screen.name === 'camera_asking' && screen.slow;
    if (isSlow && slow.hidden) context.announce(asking.slow);
    slow.hidden = !isSlow;
    actions.hidden = !isSlow;
  };
  update(page);
  return { root, update };
};
