// The state of the service: volume and outcomes by day, reasons, time to a result, and what is waiting.
import type { ConsoleDay, ConsoleOverview } from '../../../src/contract/console.ts';
import type { Api } from '../parts/api.ts';
import { DayChart } from '../parts/day-chart.tsx';
import { DayLine, passRateOf } from '../parts/day-line.tsx';
import { Funnel } from '../parts/funnel.tsx';
import { countText, percentText, secondsText, WhenLoaded } from '../parts/shown.tsx';
import { useLoaded } from '../parts/use.ts';

/** The days are counted once a minute; all other figures are read anew. */
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
  const { n, median, p95 } = judgement_ms;
  const most = Math.max(1, ...reasons.map(({ count }) => count));
  return (
    <>
      <dl class="tiles">
        <Tile
          name="Challenges, last 30 days"
          value={countText(days && sumOf(days, ({ created }) => created))}
        />
        <Tile name="Pass rate, last 30 days" value={days ? passRateText(days) : countText(null)} />
        <Tile name={`Upload to result, last ${n} judged, median`} value={secondsText(median)} />
        <Tile name={`Upload to result, last ${n} judged, 95th percentile`} value={secondsText(p95)} />
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
      {days ? (
        <>
          <DayChart days={days} />
          <DayLine name="Pass rate" days={days} of={passRateOf} top={1} text={percentText} />
        </>
      ) : (
        <p class="soft">Not counted: there are too many challenges to count them in five seconds.</p>
      )}
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

const sumOf = (days: readonly ConsoleDay[], of: (day: ConsoleDay) => number): number =>
  days.reduce((total, day) => total + of(day), 0);

function passRateText(days: readonly ConsoleDay[]): string {
  const passed = sumOf(days, (day) => day.passed);
  const judged = passed + sumOf(days, (day) => day.failed);
  return percentText(judged === 0 ? null : passed / judged);
}

function Tile({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
