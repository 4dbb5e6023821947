// All screens side by side, for people to look through: npx vite build -c web/capture/vite.config.ts --mode gallery
// `?screen=NAME` shows one alone. It asks for the camera only where `?camera` is given.
import { applyBrand } from '../brand/apply.ts';
import { en } from '../texts/en.ts';
import { h } from '../view/dom.ts';
import { createShell } from '../view/shell.ts';
import { galleryPages } from './pages.ts';

async function showOne(app: HTMLElement, name: string, withCamera: boolean): Promise<void> {
  const page = galleryPages()[name];
  if (!page) throw new Error(`no screen ${name}`);
  applyBrand(page.challenge?.style ?? null);
  const video = h('video', { class: 'preview', playsinline: true, muted: true, autoplay: true });
  video.muted = true;
  const context = { texts: en, video, dispatch: () => undefined, mirrored: () => true };
  createShell(app, context, '').render(page);
  if (!withCamera) return;
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  await video.play();
}

function showAll(app: HTMLElement): void {
  const frames = Object.keys(galleryPages()).map((name) => {
    const address = `?screen=${name}`;
    return h(
      'figure',
      { class: 'gallery__item' },
      h('iframe', { src: address, title: name, width: 375, height: 720, loading: 'lazy' }),
      h('figcaption', {}, h('a', { href: address }, name)),
    );
  });
  app.replaceWith(h('div', { class: 'gallery' }, ...frames));
}

const app = document.getElementById('app');
const query = new URLSearchParams(location.search);
const wanted = query.get('screen');
if (app && wanted) void showOne(app, wanted, query.has('camera'));
else if (app) showAll(app);
