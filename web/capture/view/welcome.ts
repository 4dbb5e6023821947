// The first screens: privacy with consent, or the short start.

import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { CallFault } from '../api/calls.ts';
import type { Page, Screen } from '../flow/screens.ts';
import { type ConsentParagraph, consentText } from '../texts/consent.ts';
import type { Texts } from '../texts/texts.ts';
import { cannotBoxes, leadElsewhere } from './cannot.ts';
import { h, setText } from './dom.ts';
import { type IconName, icon } from './icons.ts';
import { anotherWay, button, legalLinks, titleOf } from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

const TERM_ICONS: Readonly<Record<ConsentParagraph['of'], IconName>> = {
  who: 'face',
  client: 'shield',
  what: 'camera',
  kept: 'clock',
  choice: 'hand',
};
const STEP_ICONS: readonly IconName[] = ['camera', 'face', 'list'];

/** How long the check usually takes; empty if that is not known. */
const durationText = (texts: Texts, { usual_seconds: seconds }: CaptureState): string =>
  seconds === null ? '' : texts.welcome.duration({ seconds });

function faultText(texts: Texts, fault: CallFault | null): string {
  if (fault === null) return '';
  if (fault === 'too_many') return texts.tooMany.body;
  return texts.failed[fault === 'offline' || fault === 'blocked' ? fault : 'server'].body;
}

/** A line by the buttons for what went wrong. */
function faultLine(context: ViewContext) {
  const root = h('p', { class: 'fault', 'data-fault': '' });
  return {
    root,
    show: (text: string) => {
      if (text !== '' && root.textContent !== text) context.announce(text, 'assertive');
      setText(root, text);
    },
  };
}

/** Who asks, what for, what is recorded, how long it is kept; and the buttons to agree or decline. */
export const privacyView: MakeView = (page, context) => {
  const { texts } = context;
  const { challenge } = page;
  if (!challenge) throw new Error('privacy screen without a challenge');
  const duration = durationText(texts, challenge);
  const cannot = cannotBoxes(page, context);
  const consent = consentText(texts, challenge);
  const choice = consentChoice(context, consent.checkbox);
  const usual = anotherWay(page, texts);
  const lead = leadElsewhere(page, context, {
    boxes: cannot?.root ?? null,
    actions: choice.root,
    capture: choice.agree,
    usual,
  });
  const content = h(
    'div',
    { class: 'screen__content' },
    titleOf(texts.privacy.title),
    h(
      'p',
      { class: 'lead' },
      texts.welcome.lead({ account: challenge.account.display_name }),
      duration === '' ? '' : ` ${duration}.`,
    ),
    phoneButton(page, context),
    h(
      'dl',
      { class: 'facts' },
      ...consent.paragraphs.map(({ of, term, detail }) =>
        h(
          'div',
          { class: 'fact' },
          h('dt', {}, h('span', { class: 'fact__icon' }, icon(TERM_ICONS[of])), term),
          of === 'client' ? h('dd', { class: 'fact__own', dir: 'auto' }, detail) : h('dd', {}, detail),
        ),
      ),
    ),
    cannot?.root ?? null,
    usual,
    legalLinks(texts, challenge),
  );
  const root = h('div', { class: 'screen screen--privacy' }, content, choice.root);
  const release = leaveRoomForText(root, content, choice);
  const update = (now: Page) => {
    cannot?.update(now);
    lead(now);
    if (now.screen.name === 'privacy') choice.update(now.screen);
  };
  update(page);
  return { root, update, release };
};

/**
 * Agree or decline, with a box to tick first if one is required.
 * @param sentence beside the box; null: there is none
 */
function consentChoice(context: ViewContext, sentence: string | null) {
  const { texts } = context;
  const words = texts.privacy;
  const fault = faultLine(context);
  const box = h('input', {
    type: 'checkbox',
    id: 'consent',
    class: 'checkbox__box',
    'data-action': 'consent',
  });
  box.addEventListener('change', () => {
    box.removeAttribute('aria-invalid');
    fault.show('');
  });
  const agree = button({
    label: words.agree,
    action: 'agree',
    press: () => {
      if (sentence === null || box.checked) return context.dispatch({ type: 'agree' });
      fault.show(words.checkboxMissing);
      box.setAttribute('aria-invalid', 'true');
      box.focus();
    },
  });
  const decline = button({
    label: words.decline,
    action: 'decline',
    kind: 'quiet',
    press: () => context.dispatch({ type: 'decline' }),
  });
  const label =
    sentence === null
      ? null
      : h('label', { class: 'checkbox', for: 'consent' }, box, h('span', {}, sentence));
  return {
    root: h('div', { class: 'actions' }, label, fault.root, agree.root, decline.root),
    label,
    agree,
    fault: fault.root,
    update: (screen: Extract<Screen, { name: 'privacy' }>) => {
      label?.toggleAttribute('hidden', agree.root.hidden);
      agree.busy(screen.busy === 'agree' ? texts.welcome.working : null);
      decline.busy(screen.busy === 'decline' ? texts.welcome.working : null);
      fault.show(faultText(texts, screen.fault));
    },
  };
}

/** Above this share of the window, the buttons scroll away with the text. Chosen, not measured. */
const MAX_STICKY_SHARE = 0.4;

/**
 * Keeps the buttons at the window's foot only if they leave enough room for the text. A long name makes the checkbox's
 * sentence long: the checkbox then moves to the end of the text, and the buttons stay. If the buttons alone are too
 * much, as with large text or in a low window, they scroll with the text. Measured, because zoomed text changes no
 * media query.
 */
function leaveRoomForText(
  screen: HTMLElement,
  content: HTMLElement,
  { root: actions, label, fault }: Pick<ReturnType<typeof consentChoice>, 'root' | 'label' | 'fault'>,
): () => void {
  const measure = () => {
    const mostPx = innerHeight * MAX_STICKY_SHARE;
    // Moving the label would take the focus from a person who is using it.
    if (label && !label.contains(document.activeElement)) {
      // Measured with the label in place: without it, the buttons of a low window stand side by side.
      if (label.parentElement !== actions) fault.before(label);
      if (actions.offsetHeight > mostPx) content.append(label);
    }
    screen.toggleAttribute('data-scrolls-whole', actions.offsetHeight > mostPx);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(actions);
  addEventListener('resize', measure);
  return () => {
    observer.disconnect();
    removeEventListener('resize', measure);
  };
}

/** Without consent to ask for: what will happen, and one tap to the camera. */
export const startView: MakeView = (page, context) => {
  const { texts } = context;
  const { challenge } = page;
  if (!challenge) throw new Error('start screen without a challenge');
  const fault = faultLine(context);
  const begin = button({
    label: challenge.device_bound ? texts.welcome.resume : texts.welcome.begin,
    action: 'start',
    press: () => context.dispatch({ type: 'begin' }),
  });
  const leave = button({
    label: texts.welcome.notNow,
    action: 'leave-check',
    kind: 'quiet',
    press: () => context.dispatch({ type: 'leave' }),
  });
  const { steps } = texts.welcome;
  const duration = durationText(texts, challenge);
  const cannot = cannotBoxes(page, context);
  const actions = h(
    'div',
    { class: 'actions' },
    fault.root,
    begin.root,
    phoneButton(page, context),
    leave.root,
  );
  const lead = leadElsewhere(page, context, {
    boxes: cannot?.root ?? null,
    actions,
    capture: begin,
    usual: null,
  });
  const content = h(
    'div',
    { class: 'screen__content' },
    h('div', { class: 'hero' }, icon('features')),
    titleOf(texts.welcome.title),
    h('p', { class: 'lead' }, texts.welcome.lead({ account: challenge.account.display_name })),
    h(
      'ol',
      { class: 'steps' },
      ...[steps.first, steps.second, steps.third].map((step, index) =>
        h(
          'li',
          { class: 'step' },
          h('span', { class: 'step__icon' }, icon(STEP_ICONS[index] ?? 'list')),
          step,
        ),
      ),
    ),
    duration === '' ? null : h('p', { class: 'note' }, duration),
    cannot?.root ?? null,
  );
  const root = h('div', { class: 'screen screen--start' }, content, actions, legalLinks(texts, challenge));
  const release = leaveRoomForText(root, content, { root: actions, label: null, fault: fault.root });
  const update = (now: Page) => {
    const { screen } = now;
    cannot?.update(now);
    lead(now);
    if (screen.name !== 'start') return;
    begin.busy(screen.busy ? texts.welcome.working : null);
    fault.show(faultText(texts, screen.fault));
  };
  update(page);
  return { root, update, release };
};

/** On a computer, offers to let a phone take over; null otherwise. */
function phoneButton({ setting }: Page, context: ViewContext): HTMLElement | null {
  if (!setting.computer || setting.handedOver !== null) return null;
  return button({
    label: context.texts.welcome.usePhone,
    action: 'use-phone',
    kind: 'quiet',
    icon: 'phone',
    press: () => context.dispatch({ type: 'hand_off', target: 'phone' }),
  }).root;
}
