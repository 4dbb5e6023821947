// Small things that every page shows the same way: times, sizes, outcomes, errors, paged tables.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Page } from '../../../src/contract/console.ts';
import type { Reading } from './api.ts';
import { type Loaded, useLoaded } from './use.ts';

export function Time({ at }: { at: string | null }) {
  if (!at) return <span class="soft">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={at}>
      {date.toLocaleDateString(undefined, { day: '2-digit', month: 'short' })}{' '}
      {date.toLocaleTimeString(undefined, {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        timeZoneName: 'short',
      })}
    </time>
  );
}

export function bytesText(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A count, or that it took too long. */
export function countText(count: number | null): string {
  return count === null ? 'not counted' : String(count);
}

/** A duration of some seconds. */
export function secondsText(ms: number | null): string {
  return ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`;
}

/** A share, 0–1. */
export function percentText(share: number | null): string {
  return share === null ? '–' : `${Math.round(100 * share)} %`;
}

const GOOD = new Set(['pass', 'passed', 'Pass', 'completed', 'delivered', 'bound', 'yes']);
const BAD = new Set(['fail', 'failed', 'Fail', 'no']);

/** A word for an outcome; its colour adds nothing to the word. */
export function Badge({ word }: { word: string | null }) {
  if (word === null) return <span class="soft">–</span>;
  const tone = GOOD.has(word) ? 'good' : BAD.has(word) ? 'bad' : 'plain';
  return <span class={`badge ${tone}`}>{word}</span>;
}

/** Wraps what may be wider than the window; can be focused and scrolled by keyboard too. */
export function Scroller({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll it (WCAG 2.1.1)
    <section class="scroll" tabIndex={0} aria-label={name}>
      {children}
    </section>
  );
}

/** The heading row of a table. */
export function Head({ titles }: { titles: readonly string[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Why something was refused; nothing if it was not. */
export function Refusal({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" class="error">
      {text}
    </p>
  );
}

/** A filter with several options; empty for any. */
export function Choice(props: {
  label: string;
  options: readonly string[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label>
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {props.options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
    </label>
  );
}

/** Shows the data once it is loaded; until then, that it is being read, or why it cannot be. */
export function WhenLoaded<Data>({
  from,
  children,
}: {
  from: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}) {
  return (
    <>
      {from.error && (
        <p role="alert" class="error">
          {from.error}{' '}
          <button type="button" class="quiet" onClick={from.reload}>
            Try again
          </button>
        </p>
      )}
      {from.data ? children(from.data) : !from.error && <p class="soft">Loading …</p>}
    </>
  );
}

/** A list read page by page: the first page is refreshed every few seconds, further ones are read on demand. */
export function PagedTable<Row>(props: {
  caption: string;
  read: (cursor: string | null, reading: Reading) => Promise<Page<Row>>;
  /** Changes whenever another list is shown. */
  listKey: string;
  head: readonly string[];
  row: (row: Row) => ComponentChildren;
  empty: string;
  refreshMs?: number;
}) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const at = cursors.at(-1) ?? null;
  const page = useLoaded(
    (reading) => props.read(at, reading),
    `${props.listKey} ${at}`,
    at ? undefined : props.refreshMs,
  );
  return (
    <WhenLoaded from={page}>
      {({ data, next_cursor }) => (
        <>
          <Scroller name={props.caption}>
            <table>
              <Head titles={props.head} />
              <tbody>{data.map(props.row)}</tbody>
            </table>
          </Scroller>
          {data.length === 0 && <p class="soft">{props.empty}</p>}
          <p class="pager">
            {cursors.length > 0 && (
              <button type="button" class="quiet" onClick={() => setCursors(cursors.slice(0, -1))}>
                Newer
              </button>
            )}
            {next_cursor && (
              <button type="button" class="quiet" onClick={() => setCursors([...cursors, next_cursor])}>
                Older
              </button>
            )}
          </p>
        </>
      )}
    </WhenLoaded>
  );
}

/** For a button that asks first: the second half of a double click is not an answer. */
const isSecondClick = (event: MouseEvent): boolean => event.detail > 1;

/** For the same button: a key held down is not an answer either. */
function ignoreHeldKey(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}

/** A button for irreversible actions: it asks on the first press and acts on the second. */
export function ConfirmButton(props: {
  label: string;
  confirmLabel: string;
  press: () => void;
  quiet?: boolean;
}) {
  const [asking, setAsking] = useState(false);
  const pressed = (event: MouseEvent) => {
    if (asking && isSecondClick(event)) return;
    setAsking(!asking);
    if (asking) props.press();
  };
  return (
    <button
      type="button"
      class={props.quiet ? 'quiet' : undefined}
      onClick={pressed}
      onKeyDown={ignoreHeldKey}
      onBlur={() => setAsking(false)}
    >
      {asking ? props.confirmLabel : props.label}
    </button>
  );
}
