// Hooks for the pages: loaded (and refreshed) data, actions, and the address.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Reading } from './api.ts';

/** How often anything in progress is refreshed. */
export const REFRESH_MS = 3_000;

export interface Loaded<Data> {
  readonly data: Data | null;
  readonly error: string | null;
  /** Reads again now. */
  reload(): void;
}

/** Reads at once, whenever `key` changes, and every `everyMs` while the page is visible. */
export function useLoaded<Data>(
  read: (reading: Reading) => Promise<Data>,
  key: string,
  everyMs?: number,
): Loaded<Data> {
  type Read = Pick<Loaded<Data>, 'data' | 'error'>;
  const [state, setState] = useState<Read>({ data: null, error: null });
  const [round, setRound] = useState(0);
  const next = useRef<Reading>('use');
  const isReading = useRef(false);
  // `key` represents everything that `read` closes over.
  useEffect(() => {
    let isCurrent = true;
    const reading = next.current;
    next.current = 'use';
    isReading.current = true;
    const show = (shown: (before: Read) => Read) => {
      if (!isCurrent) return;
      isReading.current = false;
      setState(shown);
    };
    read(reading).then(
      (data) => show(() => ({ data, error: null })),
      (error: Error) => show((before) => ({ data: before.data, error: error.message })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  useEffect(() => {
    if (!everyMs) return;
    const timer = setInterval(() => {
      // Otherwise a read that takes longer than this would never be shown: a new read replaces the pending one.
      if (isReading.current || document.visibilityState !== 'visible') return;
      next.current = 'refresh';
      reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
  return { ...state, reload };
}

/** The address after `#`, such as `/challenges/ch_…`. */
export function useAddress(): string {
  const [address, setAddress] = useState(readAddress);
  useEffect(() => {
    const change = () => setAddress(readAddress());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return address;
}

const readAddress = (): string => location.hash.slice(1) || '/';

/** The results of the operator's actions on a page: the last answer, which is shown once, or why it was refused. */
export function useActions<Answer>(onDone: () => void): {
  readonly answer: Answer | null;
  readonly error: string | null;
  run(action: Promise<Answer | undefined>): void;
} {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<string | null>(null);
  const run = (action: Promise<Answer | undefined>) =>
    void action.then(
      (given) => {
        setAnswer(given ?? null);
        setError(null);
        onDone();
      },
      (refusal: Error) => setError(refusal.message),
    );
  return { answer, error, run };
}
