// Challenges by day as stacked bars, with the same figures as a table for whoever cannot see them.
import type { ConsoleOverview } from '../../../src/contract/console.ts';
import { DAYS_WIDTH, DayAxis, middleOfDay, passRateOf } from './day-line.tsx';
import { Head, percentText, Scroller, secondsText } from './shown.tsx';

type Day = ConsoleOverview['days'][number];

const HEIGHT = 120;
const BAR = 14;
const PARTS = [
  { name: 'passed', of: (day: Day) => day.passed },
  { name: 'failed', of: (day: Day) => day.failed },
  { name: 'expired', of: (day: Day) => day.expired },
  { name: 'cancelled', of: (day: Day) => day.cancelled },
  {
    name: 'open',
    of: (day: Day) => Math.max(0, day.created - day.passed - day.failed - day.expired - day.cancelled),
  },
] as const;

export function DayChart({ days }: { days: readonly Day[] }) {
  const top = Math.max(1, ...days.map((day) => day.created));
  return (
    <figure class="day-chart">
      <svg
        viewBox={`0 0 ${DAYS_WIDTH} ${HEIGHT}`}
        role="img"
        aria-label="Challenges by day; the table below says the same"
      >
        {days.map((day, at) => {
          let base = HEIGHT;
          return PARTS.map(({ name, of }) => {
            const height = (of(day) / top) * HEIGHT;
            base -= height;
            return (
              <rect
                key={`${day.day} ${name}`}
                class={name}
                x={middleOfDay(at, days.length) - BAR / 2}
                y={base}
                width={BAR}
                height={height}
              >
                <title>
                  {day.day}: {of(day)} {name}
                </title>
              </rect>
            );
          });
        })}
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
            <Head
              titles={['Day', 'created', ...PARTS.map(({ name }) => name), 'pass rate', 'upload to result']}
            />
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
                  <td class="number">{secondsText(day.judgement_ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroller>
      </details>
    </figure>
  );
}
