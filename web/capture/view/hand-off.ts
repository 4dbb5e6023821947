// A computer hands the check over: the code for the phone, then the wait for its end. Loads the code's maker only here.
import { h, setText } from './dom.ts';
import { anotherWay, badge, button, legalLinks, titleOf } from './parts.ts';
import type { MakeView } from './view.ts';

export const handOffView: MakeView = (page, context) => {
  const { texts } = context;
  const words = texts.handOff;
  const { screen, challenge } = page;
  if (screen.name !== 'hand_off') throw new Error('hand-off screen without a hand-off');
  const { target, chosen } = screen;
  const code = h('div', { class: 'code', role: 'img', 'aria-label': words.codeLabel });
  const picture = target === 'phone' ? code : badge('devices', 'brand');
  if (target === 'phone') void drawCode(code, context.linkTo('phone'));
  const account = challenge ? texts.welcome.lead({ account: challenge.account.display_name }) : '';
  const lead = chosen ? account : `${account} ${words.noCamera}`;
  const how = h('p', { class: 'lead' });
  const state = h('p', { class: 'note waiting' }, h('span', { class: 'waiting__dot' }));
  const stateText = h('span', {});
  state.append(stateText);
  const inTab = texts.deadEnds.other_device;
  const title = titleOf(target === 'tab' ? inTab.title : words.title);
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
      picture,
      how,
      state,
    ),
    // Whoever did not choose this may have no phone.
    h('div', { class: 'actions' }, back.root, chosen ? null : anotherWay(page, texts)),
    legalLinks(texts, challenge),
  );
  let takenUp: boolean | null = null;
  const update: ReturnType<MakeView>['update'] = (next) => {
    if (next.screen.name !== 'hand_off' || next.screen.takenUp === takenUp) return;
    takenUp = next.screen.takenUp;
    root.dataset.takenUp = String(takenUp);
    code.hidden = takenUp;
    how.hidden = takenUp || target === 'tab';
    setText(how, words.scan);
    if (target === 'tab') setText(stateText, inTab.body);
    else setText(stateText, takenUp ? words.onPhone : words.waiting);
    if (takenUp && target === 'phone') {
      code.before(badge('devices', 'brand'));
      context.announce(words.onPhone);
    }
  };
  update(page);
  return { root, update };
};

/** Draws the code as paths of the document: no image, nothing for the CSP to allow. */
async function drawCode(box: HTMLElement, link: string): Promise<void> {
  const { drawQr } = await import('./qr-code.ts');
  box.append(drawQr(link));
}
