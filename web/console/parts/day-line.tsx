// One figure by day as a line; days without it leave a gap. The table of the day chart says the same.
import type { ConsoleOverview } from '../../../src/contract/console.ts';

type Day = ConsoleOverview['days'][number];

/** Share of the judged challenges that passed; null where none was judged. */
export function passRateOf({ passed, failed }: Day): number | null {
  return passed + failed === 0 ? null : passed / (passed + failed);
}

/** Of every chart by day, so that a day stands at one place in all of them. */
export const DAYS_WIDTH = 600;
const HEIGHT = 80;

/** Where a day stands from left to right. */
export const middleOfDay = (at: number, days: number): number => ((at + 0.5) / days) * DAYS_WIDTH;

/** The first day and the last below a chart. */
export function DayAxis({ days }: { days: readonly Day[] }) {
  return (
    <div class="day-axis soft" aria-hidden="true">
      <span>{days[0]?.day}</span>
      <span>{days.at(-1)?.day}</span>
    </div>
  );
}

export function DayLine(props: {
  name: string;
  days: readonly Day[];
  of: (day: Day) => number | null;
  /** Top of the scale. */
  top: number;
  text: (value: number) => string;
}) {
  const { days, of, top, text } = props;
  const values = days.map(of);
  const x = (at: number) => middleOfDay(at, days.length);
  const y = (value: number) => 4 + (1 - value / top) * (HEIGHT - 8);
  const path = values
    .map((value, at) =>
      value === null ? '' : `${values[at - 1] == null ? 'M' : 'L'}${x(at)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <figure class="day-line">
      <figcaption>
        {props.name} <span class="soft">0 to {text(top)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${DAYS_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${props.name} by day; the table above says the same`}
      >
        <path d={path} />
        {values.map(
          (value, at) =>
            value !== null && (
              <circle key={days[at]!.day} cx={x(at)} cy={y(value)} r={3}>
                <title>
                  {days[at]!.day}: {text(value)}
                </title>
              </circle>
            ),
        )}
      </svg>
      <DayAxis days={days} />
    </figure>
  );
}
