// A requirement of a standard or law, and whether it holds, as far as we know. docs/privacy/laws.md has the prose.

export interface Rule {
  readonly rule: string;
  /** Where it stands in the text, such as `3.14`. */
  readonly at: string;
  readonly requirement: string;
  readonly holds: 'holds' | 'partly' | 'does not';
  /** The test or command that shows what holds, and what is missing. */
  readonly evidence: string;
}

type Row = readonly [at: string, requirement: string, holds: Rule['holds'], evidence: string];

/** Rows of one standard or law, those that do not hold first. */
export function rulesOf(rule: string, rows: readonly Row[]): Rule[] {
  const order: readonly Rule['holds'][] = ['does not', 'partly', 'holds'];
  return rows
    .map(([at, requirement, holds, evidence]) => ({ rule, at, requirement, holds, evidence }))
    .sort((one, other) => order.indexOf(one.holds) - order.indexOf(other.holds));
}
