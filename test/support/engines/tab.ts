// What a test needs from a browser, whichever the engine: the few actions of a person, and expressions run in the page.

/** One tab with the capture page. */
export interface Tab {
  /** Opens the address and waits until it has loaded. */
  go(url: string): Promise<void>;
  reload(): Promise<void>;
  /** One step back in the tab's history. */
  back(): Promise<void>;
  url(): Promise<string>;
  /** The value of an expression in the page, awaited; it crosses as JSON. Throws what the page threw. */
  run<T = unknown>(expression: string): Promise<T>;
  /** A person's click on the element that the selector finds first: trusted, at its middle. */
  click(selector: string): Promise<void>;
  /** PNG of the window's content. */
  screenshot(): Promise<Buffer>;
  /** Puts another tab in front, as when somebody looks something up; resolves when the page has noticed. */
  cover(): Promise<void>;
  /** Brings the tab back to the front. */
  uncover(): Promise<void>;
}

/** What the browser does with its camera, by its own means. */
export type OwnCamera =
  /** The engine's own test camera, allowed. */
  | 'allowed'
  /** The browser refuses it, as a person has configured it. */
  | 'refused'
  /** No camera is there. */
  | 'none';

/** A browser with one tab. */
export interface EngineBrowser {
  /** As the browser reports it. */
  readonly version: string;
  readonly tab: Tab;
  /** Stops every process that was started for it, and removes its profile. */
  close(): Promise<void>;
}

/** Width and height of the window: a phone's. */
export const WINDOW = { width: 390, height: 844 } as const;
