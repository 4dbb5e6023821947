// With several cameras: a native list of them below the picture, until the recording begins.
import type { Screen } from '../flow/screens.ts';
import { h } from './dom.ts';
import { icon } from './icons.ts';
import type { ViewContext } from './view.ts';

export function createCameraChooser(context: ViewContext): { root: HTMLElement; show(screen: Screen): void } {
  const select = h('select', { class: 'chooser__list', 'data-action': 'choose-camera' });
  const root = h(
    'label',
    { class: 'chooser' },
    icon('camera'),
    h('span', { class: 'unseen' }, context.texts.stage.camera),
    select,
  );
  select.addEventListener('change', () => context.dispatch({ type: 'choose_camera', id: select.value }));
  let listed = '';
  return {
    root,
    show: (screen) => {
      root.hidden = screen.name !== 'position' || screen.cameras.length === 0 || screen.countdown !== null;
      if (screen.name !== 'position' || root.hidden) return;
      const key = screen.cameras.map(({ id }) => id).join();
      if (key !== listed) {
        select.replaceChildren(
          ...screen.cameras.map(({ id, label }) => h('option', { value: id, dir: 'auto' }, label)),
        );
      }
      listed = key;
      if (screen.cameraId !== null) select.value = screen.cameraId;
    },
  };
}
