// Data of the service, read when a page needs it and refreshed while somebody looks at it.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Reading } from './api.ts';

/** How often anything in progress is refreshed. */
export const REFRESH_MS = 3_000;

export interface Loaded<Data> {
  readonly data: Data | null;
  readonly error: string | null;
  /** Reads again now. */
  reload(): void;
}

const NOTHING = { data: null, error: null };

/** Reads at once, whenever `key` changes, and every `everyMs` while the page is visible. */
export function useLoaded<Data>(
  read: (reading: Reading) => Promise<Data>,
  key: string,
  everyMs?: number,
): Loaded<Data> {
  type Read = Pick<Loaded<Data>, 'data' | 'error'>;
  const [state, setState] = useState<Read & { readonly of: string }>({ data: null, error: null, of: key });
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
      setState((before) => ({ ...shown(before.of === key ? before : NOTHING), of: key }));
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
  // What belongs to another key is never shown under this one.
  const { data, error } = state.of === key ? state : NOTHING;
  return { data, error, reload };
}
