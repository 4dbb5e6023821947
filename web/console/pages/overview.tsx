// The state of the service: volume and outcomes by day, reasons, time to a result, and what is waiting.
import type { ConsoleOverview } from '../../../src/contract/console.ts';
import type { Api } from '../api.ts';
import { DayChart } from '../parts/day-chart.tsx';
import { DayLine, passRateOf } from '../parts/day-line.tsx';
import { Funnel } from '../parts/funnel.tsx';
import { percentText, secondsText, WhenLoaded } from '../parts/shown.tsx';
import { useLoaded } from '../use.ts';

/** The figures are counted anew for each read. */
const FIGURES_REFRESH_MS = 5_000;

export function OverviewPage({ api }: { api: Api }) {
  const overview = useLoaded(
    (reading) => api.get<ConsoleOverview>('/overview', reading),
    'overview',
    FIGURES_REFRESH_MS,
  );
  return (
    <>
      <h1>Overview</h1>
      <WhenLoaded from={overview}>{(data) => <Figures overview={data} />}</WhenLoaded>
    </>
  );
}

function Figures({ overview }: { overview: ConsoleOverview }) {
  const { days, reasons, reasons_of, judgement_ms, queue, deliveries } = overview;
  const sum = (of: (day: ConsoleOverview['days'][number]) => number) =>
    days.reduce((total, day) => total + of(day), 0);
  const judged = sum((day) => day.passed + day.failed);
  const passRate = percentText(judged === 0 ? null : sum((day) => day.passed) / judged);
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <>
      <dl class="tiles">
        <Tile name="Challenges, last 30 days" value={String(sum((day) => day.created))} />
        <Tile name="Pass rate, last 30 days" value={passRate} />
        <Tile name="Upload to result, last 24 h, median" value={secondsText(judgement_ms.median)} />
        <Tile name="Upload to result, last 24 h, 95th percentile" value={secondsText(judgement_ms.p95)} />
        <Tile
          name="Waiting for judgement"
          value={
            queue.waiting === 0 ? '0' : `${queue.waiting}, oldest ${Math.round(queue.oldest_seconds ?? 0)} s`
          }
        />
        <Tile
          name="Deliveries pending, failed in 24 h"
          value={`${deliveries.pending}, ${deliveries.failed_last_day}`}
        />
      </dl>
      <h2>How far people get (newest challenges)</h2>
      <Funnel funnel={overview.funnel} />
      <h2>By day (UTC)</h2>
      <DayChart days={days} />
      <DayLine name="Pass rate" days={days} of={passRateOf} top={1} text={percentText} />
      <DayLine
        name="Upload to result, median"
        days={days}
        of={(day) => day.judgement_ms}
        top={Math.max(1_000, ...days.map((day) => day.judgement_ms ?? 0))}
        text={secondsText}
      />
      <h2>Reasons in the last {reasons_of} judged challenges</h2>
      {reasons.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <table class="bars">
          <tbody>
            {reasons.map(({ reason, count }) => (
              <tr key={reason}>
                <th scope="row">{reason.replaceAll('_', ' ')}</th>
                <td>
                  <meter min={0} max={most} value={count} aria-hidden="true" /> {count}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
