// One figure by day as a line; days without a value leave a gap. The table of the day chart has the same figures.
import type { ConsoleDay } from '../../../src/contract/console.ts';
import { dots, line, linear, type Scale } from '../../../src/plot/shapes.ts';
import { Drawn } from './drawn.tsx';

/** Share of the judged challenges that passed; null if none was judged. */
export function passRateOf({ passed, failed }: ConsoleDay): number | null {
  return passed + failed === 0 ? null : passed / (passed + failed);
}

/** The same for every chart by day, so that a day has the same position in all of them. */
export const DAYS_WIDTH = 600;
const HEIGHT = 80;

/** Scale from a day's number, counted from 0, to its centre. */
export function dayScale(days: number): Scale {
  return linear([-0.5, days - 0.5], [0, DAYS_WIDTH]);
}

/** The first and the last day, shown below a chart. */
export function DayAxis({ days }: { days: readonly ConsoleDay[] }) {
  return (
    <div class="day-axis soft" aria-hidden="true">
      <span>{days[0]?.day}</span>
      <span>{days.at(-1)?.day}</span>
    </div>
  );
}

export function DayLine(props: {
  name: string;
  days: readonly ConsoleDay[];
  of: (day: ConsoleDay) => number | null;
  /** Top of the scale. */
  top: number;
  text: (value: number) => string;
}) {
  const { days, of, top, text } = props;
  const plane = { x: dayScale(days.length), y: linear([0, top], [HEIGHT - 4, 4]) };
  const points = days.map((day, x) => {
    const y = of(day);
    return { x, y, title: y === null ? '' : `${day.day}: ${text(y)}` };
  });
  return (
    <figure class="day-line">
      <figcaption>
        {props.name} <span class="soft">0 to {text(top)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${DAYS_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${props.name} by day; the table above has the same figures`}
      >
        <Drawn shapes={[line(points, plane, {}), ...dots(points, plane, { r: 3 })]} />
      </svg>
      <DayAxis days={days} />
    </figure>
  );
}
