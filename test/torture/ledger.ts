// What the service has acknowledged, recorded before anything else happens: a file with one JSON line per fact, read
// back when an interrupted run continues.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** What the harness intends to do with a challenge. */
export type Plan = 'expire' | 'upload' | 'uploadAndErase' | 'cancel' | 'erase';

export type Fact =
  /** 201 was received. */
  | { readonly kind: 'created'; readonly id: string; readonly path: string; readonly plan: Plan }
  /** The last byte of a capture was acknowledged. */
  | {
      readonly kind: 'submitted';
      readonly id: string;
      /** Its bytes were sent while it was recorded. */
      readonly grew?: boolean;
    }
  /** 200 was received for the cancellation. */
  | { readonly kind: 'cancelled'; readonly id: string }
  /** DELETE is about to be sent: from here on the challenge may be gone. */
  | { readonly kind: 'erasing'; readonly id: string }
  /** 204 was received, or 404 for a retry. */
  | { readonly kind: 'erased'; readonly id: string }
  /** A webhook arrived; `acknowledged` when the receiver is about to answer 2xx. */
  | {
      readonly kind: 'received';
      readonly id: string;
      readonly delivery: string;
      readonly status: string;
      readonly overall: string | null;
      /** Digest of the parts of the result that never change. */
      readonly digest: string;
      readonly acknowledged: boolean;
    }
  | { readonly kind: 'badSignature' }
  | {
      readonly kind: 'killed';
      readonly target: KillTarget;
      /** Captures that were being recorded, with bytes on their way. */
      readonly growing?: number;
      /** Captures between the opened link and the outcome. */
      readonly underWay?: number;
    }
  /** A process that had begun its work ended although nobody had killed it. */
  | { readonly kind: 'endedByItself'; readonly name: string; readonly code: number | null }
  /** A process ended before it began its work because the database was unavailable. */
  | { readonly kind: 'couldNotStart'; readonly name: string; readonly code: number | null }
  | { readonly kind: 'ran'; readonly seconds: number };

export type KillTarget = 'api' | 'worker' | 'postgres';

export interface Ledger {
  append(fact: Fact): void;
  /** Facts of one kind, oldest first. */
  all<K extends Fact['kind']>(kind: K): readonly Extract<Fact, { kind: K }>[];
  count(kind: Fact['kind']): number;
  /** Challenges whose completion the receiver has acknowledged. */
  judged(): number;
  /** Those of them that passed, each of which has a template. */
  passed(): number;
}

/** Opens a ledger with the facts of earlier parts of the run. */
export function openLedger(file: string): Ledger {
  const facts = new Map<Fact['kind'], Fact[]>();
  const judged = new Set<string>();
  const passed = new Set<string>();
  const remember = (fact: Fact) => {
    const known = facts.get(fact.kind);
    if (known) known.push(fact);
    else facts.set(fact.kind, [fact]);
    if (fact.kind !== 'received' || !fact.acknowledged || fact.status !== 'completed') return;
    judged.add(fact.id);
    if (fact.overall === 'pass') passed.add(fact.id);
  };
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
    // The last line is incomplete if the harness was interrupted.
    if (line.endsWith('}')) remember(JSON.parse(line));
  }
  return {
    append(fact) {
      appendFileSync(file, `${JSON.stringify({ ...fact, at: new Date().toISOString() })}\n`);
      remember(fact);
    },
    all: <K extends Fact['kind']>(kind: K) =>
      (facts.get(kind) ?? []) as unknown as readonly Extract<Fact, { kind: K }>[],
    count: (kind) => facts.get(kind)?.length ?? 0,
    judged: () => judged.size,
    passed: () => passed.size,
  };
}
