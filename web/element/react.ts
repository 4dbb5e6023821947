// <likeness-check> for React 18 and newer.
import { createElement, type HTMLAttributes, type ReactElement, useEffect, useRef } from 'react';
import {
  CHECK_ATTRIBUTES,
  CHECK_EVENTS,
  type CheckDetail,
  type CheckProperties,
  type LikenessCheckElement,
} from './element.ts';

type Handler = (detail: CheckDetail) => void;

/** The element's properties; a handler for each of its events; what any element takes. */
export interface LikenessCheckProps
  extends Partial<CheckProperties>,
    Omit<HTMLAttributes<HTMLElement>, keyof CheckProperties> {
  challengeUrl: string;
  onReady?: Handler;
  onOpened?: Handler;
  onCompleted?: Handler;
  onCancelled?: Handler;
  onFailed?: Handler;
}

/** React before 19 hands custom elements attributes only: events are listened to by hand. */
export function LikenessCheck(props: LikenessCheckProps): ReactElement {
  const element = useRef<LikenessCheckElement>(null);
  const handlers = useRef<Record<string, unknown>>({});
  const rest: Record<string, unknown> = { ...props };
  handlers.current = Object.fromEntries(
    CHECK_EVENTS.map((event) => {
      const name = `on${event[0]!.toUpperCase()}${event.slice(1)}`;
      const handler = rest[name];
      delete rest[name];
      return [event, handler];
    }),
  );
  for (const [attribute, property] of Object.entries(CHECK_ATTRIBUTES)) {
    const value = rest[property];
    delete rest[property];
    if (value !== undefined) rest[attribute] = value;
  }
  useEffect(() => {
    const ending = new AbortController();
    for (const event of CHECK_EVENTS)
      element.current?.addEventListener(
        event,
        ({ detail }) => (handlers.current[event] as Handler | undefined)?.(detail),
        { signal: ending.signal },
      );
    return () => ending.abort();
  }, []);
  return createElement('likeness-check', { ...rest, ref: element });
}
