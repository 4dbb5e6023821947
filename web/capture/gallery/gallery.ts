// All screens side by side, for people to look through: npx vite build -c web/capture/vite.config.ts --mode gallery
// `#NAME` shows one alone. It asks for the camera only where `?camera` is given.
import { applyBrand } from '../brand/apply.ts';
import { en } from '../texts/en.ts';
import { h } from '../view/dom.ts';
import { createShell } from '../view/shell.ts';
import { galleryPages } from './pages.ts';

async function showOne(app: HTMLElement, withCamera: boolean): Promise<void> {
  const video = h('video', { class: 'preview', playsinline: true, muted: true, autoplay: true });
  video.muted = true;
  const context = { texts: en, video, dispatch: () => undefined, mirrored: () => true };
  const show = () => {
    const name = location.hash.slice(1);
    const page = galleryPages()[name];
    if (!page) throw new Error(`no screen ${name}`);
    applyBrand(page.challenge?.style ?? null);
    createShell(app, context, '').render(page);
    document.documentElement.dataset.screen = name;
  };
  if (withCamera) {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
    await video.play();
  }
  addEventListener('hashchange', show);
  show();
}

function showAll(app: HTMLElement): void {
  const frames = Object.keys(galleryPages()).map((name) => {
    const address = `#${name}`;
    return h(
      'figure',
      { class: 'gallery__item' },
      h('iframe', { src: `gallery.html${address}`, title: name, width: 375, height: 720, loading: 'lazy' }),
      h('figcaption', {}, h('a', { href: address, target: '_blank' }, name)),
    );
  });
  app.replaceWith(h('div', { class: 'gallery' }, ...frames));
}

const app = document.getElementById('app');
const query = new URLSearchParams(location.search);
if (app && location.hash) void showOne(app, query.has('camera'));
else if (app) showAll(app);
