// Challenges by day as stacked bars, with the same figures as a table for people who cannot see them.
import type { ConsoleDay } from '../../../src/contract/console.ts';
import { box, linear, type Plane } from '../../../src/plot/shapes.ts';
import { DAYS_WIDTH, DayAxis, dayScale, passRateOf } from './day-line.tsx';
import { Drawn } from './drawn.tsx';
import { Head, percentText, Scroller } from './shown.tsx';

const HEIGHT = 120;
/** Width of a bar, as a share of its day. */
const BAR = 0.7;
const PARTS = [
  { name: 'passed', of: (day: ConsoleDay) => day.passed },
  { name: 'failed', of: (day: ConsoleDay) => day.failed },
  { name: 'expired', of: (day: ConsoleDay) => day.expired },
  { name: 'cancelled', of: (day: ConsoleDay) => day.cancelled },
  {
    name: 'open',
    of: (day: ConsoleDay) => Math.max(0, day.created - day.passed - day.failed - day.expired - day.cancelled),
  },
] as const;

export function DayChart({ days }: { days: readonly ConsoleDay[] }) {
  const top = Math.max(1, ...days.map((day) => day.created));
  const plane = { x: dayScale(days.length), y: linear([0, top], [HEIGHT, 0]) };
  return (
    <figure class="day-chart">
      <svg
        viewBox={`0 0 ${DAYS_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Challenges by day; the table below has the same figures"
      >
        <Drawn shapes={days.flatMap((day, at) => bars(day, at, plane))} />
      </svg>
      <DayAxis days={days} />
      <figcaption>
        <span class="soft">Challenges, 0 to {top}: </span>
        {PARTS.map(({ name }) => (
          <span key={name} class={`key ${name}`}>
            {name}
          </span>
        ))}
      </figcaption>
      <details>
        <summary>As a table</summary>
        <Scroller name="Challenges by day, as a table">
          <table>
            <Head titles={['Day', 'created', ...PARTS.map(({ name }) => name), 'pass rate']} />
            <tbody>
              {days.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{day.day}</th>
                  <td class="number">{day.created}</td>
                  {PARTS.map(({ name, of }) => (
                    <td key={name} class="number">
                      {of(day)}
                    </td>
                  ))}
                  <td class="number">{percentText(passRateOf(day))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      </details>
    </figure>
  );
}

/** A day's bars, stacked. */
function bars(day: ConsoleDay, at: number, plane: Plane) {
  let base = 0;
  return PARTS.map(({ name, of }) => {
    const from = base;
    base += of(day);
    const title = `${day.day}: ${of(day)} ${name}`;
    return box([at - BAR / 2, at + BAR / 2], [from, base], plane, { class: name }, title);
  });
}
