// <likeness-check>: the capture page in a page of somebody else's: framed, opened, or as a QR code. Works under a strict
// Content-Security-Policy: it needs frame-src of the service's origin, and nothing inline.
import type { EmbeddingMessage } from '../../src/contract/embedding.ts';
import { qrModules } from '../qr/modules.ts';
import {
  CHECK_ATTRIBUTES,
  CHECK_EVENTS,
  CHECK_MODES,
  type CheckDetail,
  type CheckEvent,
  type CheckMode,
  type CheckProperties,
} from './events.ts';

const TAG = 'likeness-check';
const DEFAULT_LABEL = 'Identity check';
const SVG = 'http://www.w3.org/2000/svg';

const STYLES = `
:host { display: block; inline-size: 390px; block-size: 760px; max-inline-size: 100% }
:host([mode='window']) { inline-size: fit-content; block-size: auto }
:host([mode='qr']) { inline-size: 240px; block-size: auto }
:host([hidden]) { display: none }
iframe { inline-size: 100%; block-size: 100%; border: 0; display: block }
button { font: inherit; padding: .6em 1.2em; cursor: pointer }
svg { inline-size: 100%; block-size: auto; display: block; background: #fff; color: #000 }
`;

type CheckListener = (this: LikenessCheckElement, event: CustomEvent<CheckDetail>) => void;

/** The events of the element beside those of every element. */
export interface LikenessCheckElement extends CheckProperties {
  addEventListener(
    type: CheckEvent,
    listener: CheckListener,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<K extends keyof HTMLElementEventMap>(
    type: K,
    listener: (this: HTMLElement, event: HTMLElementEventMap[K]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** Where a server renders the page there are no elements: importing this is harmless there. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** The element. Its attributes and properties: {@link CHECK_ATTRIBUTES}; its events: {@link CHECK_EVENTS}. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the properties are defined below, by the table
export class LikenessCheckElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(CHECK_ATTRIBUTES);
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true });
  /** The window that the page runs in; null before it does, and for a QR code. */
  #page: Window | null = null;
  /** Mode, address and language of what is shown. */
  #shown: readonly string[] = [];
  #isDue = false;

  constructor() {
    super();
    const styles = new CSSStyleSheet();
    styles.replaceSync(STYLES);
    this.#root.adoptedStyleSheets = [styles];
  }

  connectedCallback(): void {
    this.#takeEarlyProperties();
    addEventListener('message', this.#hear);
    this.#renderSoon();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#hear);
    this.#page = null;
    this.#shown = [];
    this.#root.replaceChildren();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    // A frame that is made anew loads the check anew, in the middle of a recording too; a button loses the focus.
    if (name === 'label') this.#showLabel();
    else this.#renderSoon();
  }

  /** What a script or a framework has set before this script came lies on the element itself, and hides its accessor. */
  #takeEarlyProperties(): void {
    const own = this as unknown as Record<string, unknown>;
    for (const property of Object.values(CHECK_ATTRIBUTES)) {
      if (!Object.hasOwn(own, property)) continue;
      const value = own[property];
      delete own[property];
      own[property] = value;
    }
  }

  /** Several attributes that change together are one change. */
  #renderSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      if (this.isConnected) this.#render();
    });
  }

  #render(): void {
    const url = this.#url();
    const [mode, address, language] = this.#shown;
    const shown = [this.mode, this.challengeUrl, this.language];
    const isOther = mode !== this.mode || address !== this.challengeUrl;
    if (!isOther && language === this.language) return;
    this.#shown = shown;
    // A button of another language is of the same window, which is heard on.
    if (isOther || this.mode === 'frame') this.#page = null;
    if (isOther && this.challengeUrl !== '' && !url) afterScripts(() => this.#tellIfStill(shown));
    this.#root.replaceChildren();
    if (!url) return;
    if (this.mode === 'frame') this.#renderFrame(url);
    else this.#root.append(this.mode === 'qr' ? this.#code(url) : this.#button(url));
    this.#showLabel();
  }

  #showLabel(): void {
    const [frame, words] = [this.#root.querySelector('iframe'), this.#root.querySelector('slot')];
    if (frame) frame.title = this.label;
    if (words) words.textContent = this.label;
    this.#root.querySelector('svg')?.setAttribute('aria-label', this.label);
  }

  #renderFrame(url: URL): void {
    const frame = document.createElement('iframe');
    // Before its address: a frame that is loaded has the permissions that it was loaded with.
    frame.allow = 'camera';
    frame.referrerPolicy = 'no-referrer';
    frame.src = url.href;
    this.#root.append(frame);
    this.#page = frame.contentWindow;
  }

  #button(url: URL): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.part.add('button');
    button.append(document.createElement('slot'));
    button.addEventListener('click', () => {
      // A second window would be another device's: the link is of the first.
      if (this.#page && !this.#page.closed) return this.#page.focus();
      // With an opener: the page tells this one how the person is getting on.
      this.#page = window.open(url, '_blank');
      if (this.#page) this.#tell('opened');
      else this.#tell('failed', 'popup_blocked');
    });
    return button;
  }

  #code(url: URL): SVGSVGElement {
    const { size, path } = qrModules(url.href);
    const svg = document.createElementNS(SVG, 'svg');
    const attributes = { viewBox: `0 0 ${size} ${size}`, role: 'img', 'shape-rendering': 'crispEdges' };
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
    svg.setAttribute('part', 'code');
    const dark = document.createElementNS(SVG, 'path');
    dark.setAttribute('d', path);
    svg.append(dark);
    return svg;
  }

  /** Null where there is none, or one that no challenge has. */
  #url(): URL | null {
    const url = URL.parse ? URL.parse(this.challengeUrl) : parseUrl(this.challengeUrl);
    if (!url || !/^https?:$/.test(url.protocol)) return null;
    if (this.language !== '') url.searchParams.set('lang', this.language);
    return url;
  }

  /** Hears the page alone: this window, of the service's origin. */
  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.#page || origin !== this.#url()?.origin) return;
    const { source: sender, event, reason } = (data ?? {}) as Partial<EmbeddingMessage>;
    const known = CHECK_EVENTS.find((name) => name === event);
    if (sender !== 'likeness' || !known || known === 'opened') return;
    this.#tell(known, typeof reason === 'string' ? reason : null);
  };

  /** A page that has set a right address meanwhile has nothing to mend. */
  #tellIfStill(shown: readonly string[]): void {
    if (this.#shown === shown) this.#tell('failed', 'invalid_url');
  }

  #tell(event: CheckEvent, reason: string | null = null): void {
    this.dispatchEvent(new CustomEvent<CheckDetail>(event, { detail: { reason } }));
  }
}

for (const [attribute, property] of Object.entries(CHECK_ATTRIBUTES))
  Object.defineProperty(LikenessCheckElement.prototype, property, {
    get(this: Element) {
      const value = this.getAttribute(attribute) ?? '';
      if (property === 'mode')
        return CHECK_MODES.find((mode) => mode === value) ?? ('frame' satisfies CheckMode);
      return value === '' && property === 'label' ? DEFAULT_LABEL : value;
    },
    set(this: Element, value: string | null | undefined) {
      if (value === null || value === undefined) this.removeAttribute(attribute);
      else this.setAttribute(attribute, value);
    },
    enumerable: true,
    configurable: true,
  });

/** Once those listen that come behind this one: the page's later scripts, a framework's effects. */
function afterScripts(work: () => void): void {
  if (document.readyState === 'complete') setTimeout(work);
  else addEventListener('load', work, { once: true });
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'likeness-check': LikenessCheckElement;
  }
}

if (globalThis.customElements && !customElements.get(TAG)) customElements.define(TAG, LikenessCheckElement);

export * from './events.ts';
