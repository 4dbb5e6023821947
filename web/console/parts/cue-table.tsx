// The judgement: its four answers, then every check with its value and threshold.
import type { ConsoleTry, JudgedCue } from '../../../src/contract/judged-try.ts';
import { CUE_MEASURES } from './cue-measures.ts';
import { Badge, Head, Scroller } from './shown.tsx';

export function CueTable({ name, judgement }: { name: string; judgement: Omit<ConsoleTry, 'reasons'> }) {
  const { liveness, cues, timings_ms } = judgement;
  const checks = [
    ['one live face', liveness.face],
    ['smile', liveness.smile],
    ['no attack found', liveness.spoof_result],
    ['overall', liveness.overall],
  ] as const;
  const timings = Object.entries(timings_ms)
    .map(([step, ms]) => `${step} ${Math.round(ms)} ms`)
    .join(', ');
  return (
    <>
      <ul class="checks">
        {checks.map(([name, value]) => (
          <li key={name}>
            {name} <Badge word={value ? 'passed' : 'failed'} />
          </li>
        ))}
      </ul>
      <Scroller name={`Checks of ${name}`}>
        <table class="stacked">
          <Head titles={['Check', 'Outcome', 'Value', 'Passes', 'Reason', 'What is measured']} />
          <tbody>
            {failedFirst(cues).map((cue) => (
              <CueRow key={cue.cue} cue={cue} />
            ))}
          </tbody>
        </table>
      </Scroller>
      {timings && <p class="soft">{timings}</p>}
    </>
  );
}

function CueRow({ cue }: { cue: JudgedCue }) {
  const { cue: name, status, value, threshold, reason } = cue;
  const known = CUE_MEASURES[name];
  const withUnit = (text: string) => (text === '' || !known?.unit ? text : `${text} ${known.unit}`);
  return (
    <tr>
      <td>{name.replaceAll('_', ' ')}</td>
      <td>
        <Badge word={status === 'notEvaluated' ? 'not evaluated' : status} />
      </td>
      <td class="number">{withUnit(figure(value))}</td>
      <td class="number">
        {threshold !== null && known && <span class="soft">{known.passes} </span>}
        {withUnit(figure(threshold))}
      </td>
      <td>{reason?.replaceAll('_', ' ')}</td>
      <td class="soft">{known?.measures}</td>
    </tr>
  );
}

const ORDER = ['failed', 'notEvaluated', 'passed'] as const;

/** The failed checks, then those that could not be evaluated, then the rest; each in the order of the judgement. */
function failedFirst(cues: readonly JudgedCue[]): readonly JudgedCue[] {
  return ORDER.flatMap((status) => cues.filter((cue) => cue.status === status));
}

const figure = (value: number | null): string =>
  value === null ? '' : Number(value.toPrecision(3)).toString();
