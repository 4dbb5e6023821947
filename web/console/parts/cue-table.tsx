// The judgement: its four answers, then every check with its value beside its threshold.
import type { ConsoleChallengeDetail, JudgedLight } from '../../../src/contract/console.ts';
import { Badge, Head, Scroller } from './shown.tsx';

export function CueTable({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { liveness, cues, screen_light, timings_ms } = challenge;
  const checks = liveness
    ? ([
        ['one live face', liveness.face],
        ['smile', liveness.smile],
        ['no attack found', liveness.spoof_result],
        ['overall', liveness.overall],
      ] as const)
    : [];
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
      <Scroller name="Checks of the judgement">
        <table>
          <Head titles={['Check', 'Outcome', 'Value', 'Threshold', 'Reason']} />
          <tbody>
            {cues.map((cue) => (
              <tr key={cue.cue}>
                <td>{cue.cue.replaceAll('_', ' ')}</td>
                <td>
                  <Badge word={cue.status === 'notEvaluated' ? 'not evaluated' : cue.status} />
                </td>
                <td class="number">{figure(cue.value)}</td>
                <td class="number">{figure(cue.threshold)}</td>
                <td>{cue.reason ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      {screen_light && <p>{lightWords(screen_light)}</p>}
      {timings && <p class="soft">{timings}</p>}
    </>
  );
}

/** What was found of the code of the page's light. */
function lightWords({ required, shown, match }: JudgedLight): string {
  const words = [
    `Light of the screen, ${required ? 'required' : 'observed only'}`,
    `page: ${shown?.replaceAll('_', ' ') ?? 'not said'}`,
  ];
  if (!match) return [...words, 'too little of the skin could be read'].join('; ');
  const { amplitude, error, z, delay_ms, p, symbols } = match;
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  return [
    ...words,
    `swing ${percent(amplitude)} ± ${percent(error)}`,
    `z ${figure(z)}, p ${figure(p)}`,
    `delay ${delay_ms} ms`,
    `${symbols} symbols`,
  ].join('; ');
}

const figure = (value: number | null): string =>
  value === null ? '' : Number(value.toPrecision(3)).toString();
