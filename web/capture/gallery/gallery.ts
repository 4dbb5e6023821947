// Shows all screens side by side: npx vite build -c web/capture/vite.config.ts --mode gallery
// `#NAME` shows one alone. `?lang=` chooses the language. The camera is requested only with `?camera`.
import { chooseLanguage, directionOf } from '../../../src/contract/languages.ts';
import { applyBrand } from '../brand/apply.ts';
import type { Voice } from '../speech/voice.ts';
import { loadTexts } from '../texts/load.ts';
import type { Texts } from '../texts/texts.ts';
import { h } from '../view/dom.ts';
import { createPreview } from '../view/oval.ts';
import { createShell } from '../view/shell.ts';
import { galleryPages } from './pages.ts';

const silent: Voice = {
  available: () => true,
  isOn: () => false,
  toggle: () => undefined,
  say: () => undefined,
};

async function showOne(app: HTMLElement, texts: Texts, withCamera: boolean): Promise<void> {
  document.documentElement.lang = texts.language;
  document.documentElement.dir = directionOf(texts.language);
  const video = createPreview();
  const context = {
    texts,
    video,
    voice: silent,
    browser: navigator,
    dispatch: () => undefined,
    mirrored: () => true,
    linkTo: () =>
      `https://check.example/c/${'q7Yw2mZ0t5n3VbR8xKcA1eJ4uL6oPgDsHfTiNzWvQyE'}#d=${'x'.repeat(43)}&f=phone`,
  };
  const show = () => {
    const name = location.hash.slice(1);
    const page = galleryPages(location.href)[name];
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
    const address = `${location.search}#${name}`;
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
if (app && location.hash) {
  const texts = await loadTexts(chooseLanguage([query.get('lang') ?? 'en']));
  await showOne(app, texts, query.has('camera'));
} else if (app) showAll(app);
