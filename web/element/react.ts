// <likeness-check> for React 18 and newer.
import {
  createElement,
  forwardRef,
  type HTMLAttributes,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import {
  CHECK_ATTRIBUTES,
  CHECK_EVENTS,
  type CheckDetail,
  type CheckEvent,
  type CheckProperties,
  type LikenessCheckElement,
} from './element.ts';

type Handler = (detail: CheckDetail) => void;

/** The element's properties, a handler for each of its events, and everything that any element accepts. */
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

/**
 * React before 19 passes only attributes to custom elements, so events are listened to by hand. `ref` is the element.
 */
export const LikenessCheck = forwardRef<LikenessCheckElement, LikenessCheckProps>(
  function LikenessCheck(props, ref) {
    const element = useRef<LikenessCheckElement>(null);
    const handlers = useRef<Record<string, unknown>>({});
    const { given, listening } = sorted(props);
    handlers.current = listening;
    useImperativeHandle(ref, () => element.current!, []);
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
    return createElement('likeness-check', { ...given, ref: element });
  },
);

const EVENT_OF_HANDLER = new Map<string, CheckEvent>(
  CHECK_EVENTS.map((event) => [`on${event[0]!.toUpperCase()}${event.slice(1)}`, event] as const),
);
const ATTRIBUTE_OF_PROPERTY = new Map<string, string>([
  ...Object.entries(CHECK_ATTRIBUTES).map(([attribute, property]) => [property, attribute] as const),
  // React before 19 writes this one as it is: `classname`.
  ['className', 'class'],
]);

/** React before 19 writes `hidden={false}` as `hidden="false"`, which hides the element. */
const BOOLEANS: ReadonlySet<string> = new Set(['hidden', 'inert']);

/** Handlers by event, and everything else in the form that every React version passes to a custom element. */
function sorted(props: LikenessCheckProps) {
  const given: Record<string, unknown> = {};
  const listening: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    const event = EVENT_OF_HANDLER.get(name);
    if (event) listening[event] = value;
    else if (value !== undefined && !(value === false && BOOLEANS.has(name)))
      given[ATTRIBUTE_OF_PROPERTY.get(name) ?? name] = value;
  }
  return { given, listening };
}
