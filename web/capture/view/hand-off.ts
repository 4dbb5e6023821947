// A computer hands the check over, or a later start elsewhere has taken it: a QR code for the phone, its link for people
// whom a code does not help, then the wait for the end. The code generator is loaded only here.
import { startsAnew } from '../flow/end-steps.ts';
import { h, setText } from './dom.ts';
import { anotherWay, badge, button, legalLinks, linkCopy, titleOf } from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

export const handOffView: MakeView = (page, context) => {
  const { texts } = context;
  const words = texts.handOff;
  const { screen, challenge } = page;
  if (screen.name !== 'hand_off') throw new Error('hand-off screen without a hand-off');
  const { target, chosen } = screen;
  const phone = target === 'phone' ? wayToPhone(context, startsAnew(page)) : null;
  const account = challenge ? texts.welcome.lead({ account: challenge.account.display_name }) : '';
  const lead = phone && !chosen ? `${account} ${words.noCamera}` : account;
  const state = h('p', { class: 'note waiting' }, h('span', { class: 'waiting__dot' }));
  const stateText = h('span', {});
  state.append(stateText);
  const elsewhere = texts.deadEnds.other_device;
  const title = titleOf(phone ? words.title : elsewhere.title);
  const back = button({
    label: words.here,
    action: 'here',
    kind: 'quiet',
    press: () => context.dispatch({ type: 'begin' }),
  });
  const root = h(
    'div',
    { class: 'screen screen--message screen--hand-off' },
    h(
      'div',
      { class: 'screen__content' },
      title,
      h('p', { class: 'note' }, lead.trim()),
      ...(phone?.shown ?? [badge('devices', 'brand')]),
      state,
    ),
    // A person who did not choose this may have no phone, or no other device any more.
    h('div', { class: 'actions' }, phone?.copy, back.root, chosen ? null : anotherWay(page, texts)),
    legalLinks(texts, challenge),
  );
  let takenUp: boolean | null = null;
  const update: ReturnType<MakeView>['update'] = (next) => {
    if (next.screen.name !== 'hand_off' || next.screen.takenUp === takenUp) return;
    takenUp = next.screen.takenUp;
    root.dataset.takenUp = String(takenUp);
    if (!phone) return setText(stateText, elsewhere.body);
    setText(stateText, takenUp ? words.onPhone : words.waiting);
    if (takenUp) {
      phone.takeAway();
      context.announce(words.onPhone);
    }
  };
  update(page);
  return { root, update };
};

/** The QR code with instructions, and a button to copy its link; the link itself if the code cannot be drawn. */
function wayToPhone(context: ViewContext, anew: boolean) {
  const words = context.texts.handOff;
  const link = context.linkTo('phone', anew);
  const code = h('div', { class: 'code', role: 'img', 'aria-label': words.codeLabel });
  const how = h('p', { class: 'lead' }, words.scan);
  const { button: copy, text, showText } = linkCopy(context, link);
  let wanted = true;
  drawCode(code, link).catch(() => {
    if (!wanted) return;
    code.remove();
    showText();
    setText(how, words.open);
    context.announce(words.open);
  });
  return {
    shown: [code, how, text],
    copy: copy.root,
    takeAway: () => {
      wanted = false;
      how.before(badge('devices', 'brand'));
      for (const part of [code, how, text, copy.root]) part.remove();
    },
  };
}

/** Draws the code as SVG paths in the document: no image, so nothing for the CSP to allow. */
async function drawCode(box: HTMLElement, link: string): Promise<void> {
  const { drawQr } = await import('./qr-code.ts');
  box.append(drawQr(link));
}
