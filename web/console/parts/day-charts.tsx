// The last days as charts, and the same figures as a table.
import { BarChart, LineChart } from '@mantine/charts';
import { Accordion, SimpleGrid, Text } from '@mantine/core';
import { memo } from 'react';
import type { ConsoleDay, ConsoleOutcomes } from '../../../src/contract/console-overview.ts';
import { DataTable } from './data-table.tsx';
import { Section } from './page.tsx';
import { countText, percentText, secondsText } from './words.ts';

/** One day; what is not known of it is null. */
interface Day {
  readonly day: string;
  readonly challenges: ConsoleDay | null;
  readonly open: number;
  readonly people: ConsoleOutcomes | null;
}

const ENDS = { passed: 'green.7', failed: 'red.7', expired: 'grape.5', cancelled: 'yellow.7' } as const;

const CHART = { h: 220, role: 'img', accessibilityLayer: false, withLegend: true, dataKey: 'day' } as const;
const SHARES = { domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], width: 56 };

interface DayChartsProps {
  /** Null if they were not counted in time, as `outcomes`. */
  readonly days: readonly ConsoleDay[] | null;
  readonly outcomes: readonly ConsoleOutcomes[] | null;
  /** Most challenges of a day that `outcomes` covers. */
  readonly outcomesOf: number;
}

/** Drawn again only when a figure has changed: they are read far more often than they are counted. */
export const DayCharts = memo(Charts, (a, b) => JSON.stringify(a) === JSON.stringify(b));

function Charts(props: DayChartsProps) {
  const days = join(props.days ?? [], props.outcomes ?? []);
  return (
    <>
      {days.some(({ people }) => people) ? (
        <PeopleCharts days={days} of={props.outcomesOf} />
      ) : (
        <Section title="Who gets in, by day (UTC)">
          <Text c="dimmed">
            {props.outcomes
              ? "Nobody has recorded themselves in these days. Send somebody a challenge's link."
              : countText(null)}
          </Text>
        </Section>
      )}
      <Section title="Challenges by day (UTC)">
        <BarChart
          {...CHART}
          type="stacked"
          aria-label="Challenges by day and how they ended; the table below has the same figures"
          data={days.map(({ day, challenges, open }) => ({ ...challenges, day, open }))}
          series={[
            ...Object.entries(ENDS).map(([name, color]) => ({ name, color })),
            { name: 'open', color: 'gray.5' },
          ]}
          yAxisProps={{ width: 56, allowDecimals: false }}
        />
        <Accordion>
          <Accordion.Item value="table">
            <Accordion.Control>As a table</Accordion.Control>
            <Accordion.Panel>
              <DayTable days={days} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      </Section>
    </>
  );
}

/** `of`: most challenges of a day that the shares cover. */
function PeopleCharts({ days, of }: { days: readonly Day[]; of: number }) {
  const line = { ...CHART, connectNulls: false, data: days.map(pointOf) };
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section
        title="Who gets in, by day (UTC)"
        about={`Share of the people who recorded themselves, of the newest ${of} of a day.`}
      >
        <LineChart
          {...line}
          aria-label="Share of people who got in, by day; the table below has the same figures"
          series={[
            { name: 'first try', color: 'green.7' },
            { name: 'within three tries', color: 'indigo.5' },
          ]}
          yAxisProps={SHARES}
          valueFormatter={percentText}
        />
      </Section>
      <Section
        title="How long it takes, by day (UTC)"
        about="From the tap on start to the result, of those who got in."
      >
        <LineChart
          {...line}
          aria-label="Seconds from start to result, by day; the table below has the same figures"
          series={[
            { name: 'half within', color: 'green.7' },
            { name: '90 % within', color: 'orange.7' },
          ]}
          yAxisProps={{ width: 56 }}
          valueFormatter={secondsText}
        />
      </Section>
    </SimpleGrid>
  );
}

function DayTable({ days }: { days: readonly Day[] }) {
  const shareOf = (part: number | undefined, people: number | undefined) =>
    percentText(people ? (part ?? 0) / people : null);
  return (
    <DataTable
      name="By day, as a table"
      rows={days}
      idOf={({ day }) => day}
      empty={countText(null)}
      columns={[
        { title: 'Day (UTC)', cell: ({ day }) => day },
        { title: 'Created', cell: ({ challenges }) => countText(challenges?.created ?? null) },
        ...(Object.keys(ENDS) as (keyof typeof ENDS)[]).map((end) => ({
          title: end[0]!.toUpperCase() + end.slice(1),
          cell: ({ challenges }: Day) => countText(challenges?.[end] ?? null),
        })),
        { title: 'Open', cell: ({ open }) => countText(open) },
        { title: 'First try', cell: ({ people }) => shareOf(people?.passed_first, people?.people) },
        { title: 'Within three', cell: ({ people }) => shareOf(people?.passed, people?.people) },
        { title: 'Half within', cell: ({ people }) => secondsText(people?.median_seconds ?? null) },
        { title: '90 % within', cell: ({ people }) => secondsText(people?.p90_seconds ?? null) },
      ]}
    />
  );
}

function join(days: readonly ConsoleDay[], outcomes: readonly ConsoleOutcomes[]): Day[] {
  const people = new Map(outcomes.filter(({ by }) => by === 'day').map((row) => [row.name, row]));
  const challenges = new Map(days.map((row) => [row.day, row]));
  return [...new Set([...challenges.keys(), ...people.keys()])].sort().map((day) => {
    const counted = challenges.get(day) ?? null;
    const { created = 0, passed = 0, failed = 0, expired = 0, cancelled = 0 } = counted ?? {};
    return {
      day,
      challenges: counted,
      open: Math.max(0, created - passed - failed - expired - cancelled),
      people: people.get(day) ?? null,
    };
  });
}

const pointOf = ({ day, people }: Day) => ({
  day,
  'first try': people ? people.passed_first / people.people : null,
  'within three tries': people ? people.passed / people.people : null,
  'half within': people?.median_seconds ?? null,
  '90 % within': people?.p90_seconds ?? null,
});
