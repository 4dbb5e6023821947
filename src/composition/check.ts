// The shape of what `likeness doctor` finds.

/** What one check found. `mend` says how to fix it, and is set unless all is well. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'notEvaluated';
  readonly detail: string;
  readonly mend?: string;
}

export type Finding = Omit<Check, 'name'>;
