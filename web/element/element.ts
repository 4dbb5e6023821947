// <likeness-check>: the capture page inside somebody else's page: framed, opened in a window, or as a QR code. Works
// under a strict Content-Security-Policy: it needs frame-src for the service's origin, and nothing inline.
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
/** The camera, and what the person's own device is asked by (WebAuthn). */
const PERMISSIONS = 'camera; publickey-credentials-get; publickey-credentials-create';

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

/** Adds the element's own events to those of every element. */
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

/** During server-side rendering there are no elements; importing this is harmless there. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** The element. Its attributes and properties: {@link CHECK_ATTRIBUTES}; its events: {@link CHECK_EVENTS}. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the properties are defined below, by the table
export class LikenessCheckElement extends Base {
  static readonly observedAttributes: readonly string[] = Object.keys(CHECK_ATTRIBUTES);
  readonly #root = this.attachShadow({ mode: 'open', delegatesFocus: true });
  /** The window that the capture page runs in; null before it does, and for a QR code. */
  #page: Window | null = null;
  /** Mode, address and language of what is currently shown. */
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
    // Recreating the frame would reload the check, even during a recording, and a recreated button would lose the
    // focus.
    if (name === 'label') this.#showLabel();
    else this.#renderSoon();
  }

  /**
   * A property that a script or a framework set before this script loaded is an own property of the element and hides
   * the accessor: delete it and set it again.
   */
  #takeEarlyProperties(): void {
    const own = this as unknown as Record<string, unknown>;
    for (const property of Object.values(CHECK_ATTRIBUTES)) {
      if (!Object.hasOwn(own, property)) continue;
      const value = own[property];
      delete own[property];
      own[property] = value;
    }
  }

  /** Batches several attribute changes into one render. */
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
    // A button in another language still belongs to the same window, so keep listening to that.
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
    // Set before `src`: a frame keeps the permissions that it was loaded with.
    frame.allow = PERMISSIONS;
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
      // A second window would count as another device, and take the check from the first.
      if (this.#page && !this.#page.closed) return this.#page.focus();
      // With an opener, so that the page can tell this one how the person is getting on.
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

  /** Null if there is no address, or one that no challenge can have. */
  #url(): URL | null {
    const url = URL.parse ? URL.parse(this.challengeUrl) : parseUrl(this.challengeUrl);
    if (!url || !/^https?:$/.test(url.protocol)) return null;
    if (this.language !== '') url.searchParams.set('lang', this.language);
    return url;
  }

  /** Accepts messages only from the capture page: from its window, and with the service's origin. */
  readonly #hear = ({ source, origin, data }: MessageEvent): void => {
    if (source === null || source !== this.#page || origin !== this.#url()?.origin) return;
    const { source: sender, event, reason } = (data ?? {}) as Partial<EmbeddingMessage>;
    const known = CHECK_EVENTS.find((name) => name === event);
    if (sender !== 'likeness' || !known || known === 'opened') return;
    this.#tell(known, typeof reason === 'string' ? reason : null);
  };

  /** If the page has set a valid address meanwhile, there is nothing to report. */
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

/** Runs the work once later listeners are attached: the page's later scripts, a framework's effects. */
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
