// Judges labelled files: each file is decoded and tracked once, then judged against the script of each of its rows.
import type { Liveness } from '../contract/result.ts';
import type { Script } from '../contract/script.ts';
import type { Gathered } from '../evaluation/gather.ts';
import { checkVideo, runChecks } from '../evaluation/liveness/checks.ts';
import type { Cue } from '../evaluation/liveness/cue.ts';
import { fuse } from '../evaluation/liveness/fusion.ts';
import type { ReasonCode } from '../evaluation/reasons.ts';
import type { UndecodableReason } from '../evaluation/video/clip.ts';
import type { ManifestRow } from './pad-manifest.ts';
import type { Outcome, Presentation } from './pad-rates.ts';

/** A row of the list and its judgement. */
export interface JudgedRow extends Presentation {
  readonly file: string;
  readonly scriptFile: string | null;
  /** Null if the file is not a clip that can be judged. */
  readonly liveness: Liveness | null;
  /** Whether the script asks for a smile. */
  readonly smileAsked: boolean;
  readonly reasons: readonly (ReasonCode | UndecodableReason)[];
  readonly cues: readonly Cue[];
}

/** Judges all rows of one file. */
export function judgeRows(
  gathered: Gathered,
  rows: readonly ManifestRow[],
  scripts: ReadonlyMap<string, Script>,
): JudgedRow[] {
  const videoCues = gathered.status === 'gathered' ? checkVideo(gathered.evidence) : [];
  return rows.map((row) => {
    const script = row.scriptFile === null ? null : scripts.get(row.scriptFile)!;
    const smileAsked = script?.steps.some(({ prompt }) => prompt === 'smile') ?? false;
    if (gathered.status === 'undecodable')
      return {
        ...row,
        smileAsked,
        outcome: 'sentBack',
        liveness: null,
        reasons: [gathered.reason],
        cues: [],
      };
    const cues = runChecks({ ...gathered.evidence, script, submission: null }, videoCues);
    const { liveness, retryable, reasons } = fuse(cues);
    const outcome: Outcome = liveness.overall ? 'accepted' : retryable ? 'sentBack' : 'refused';
    return { ...row, smileAsked, outcome, liveness, reasons, cues };
  });
}
