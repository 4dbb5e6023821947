// What an operator asks first: who gets in and how fast, where people stop, what waits and what fails.
import { Alert, Anchor, List, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import {
  CONSOLE_SCOPES,
  type ConsoleOutcomes,
  type ConsoleOverview,
  type ConsoleScope,
} from '../../../src/contract/console-overview.ts';
import { Bars } from '../parts/bars.tsx';
import { DayCharts } from '../parts/day-charts.tsx';
import { OutcomeTable } from '../parts/outcome-table.tsx';
import { PageHead, Section } from '../parts/page.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Tile } from '../parts/tile.tsx';
import { useFilters } from '../parts/use-address.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';
import { countText, percentText, secondsText, wordsOf } from '../parts/words.ts';

/** The days and what waits are counted once a minute; all other figures are read anew. */
const FIGURES_REFRESH_MS = 5_000;

interface ScopeTexts {
  readonly label: string;
  readonly about: string;
  /** What to do as long as there are none. */
  readonly begin: string;
}

const SCOPES: Readonly<Record<ConsoleScope, ScopeTexts>> = {
  live: {
    label: 'Live',
    about: 'Live challenges of the last 30 days. Those of the sandbox are left out.',
    begin:
      'Create a challenge with a live key, and send its link to somebody. Those of the sandbox are above.',
  },
  sandbox: {
    label: 'Sandbox',
    about: 'Sandbox challenges of the last 30 days: nobody was checked in them.',
    begin: 'Create a challenge with a sandbox key: it needs nobody and no camera.',
  },
  both: {
    label: 'Both',
    about: 'Live and sandbox challenges of the last 30 days together.',
    begin: 'Create a challenge with a key of an account.',
  },
};

export function OverviewPage() {
  const api = useApi();
  const [filters, set] = useFilters(['scope']);
  const scope = CONSOLE_SCOPES.find((each) => each === filters.scope) ?? 'live';
  const overview = useLoaded(
    (reading) => api.get<ConsoleOverview>('/overview', reading, { scope }),
    scope,
    FIGURES_REFRESH_MS,
  );
  return (
    <>
      <PageHead title="Overview" about={SCOPES[scope].about}>
        <SegmentedControl
          aria-label="Challenges that are counted"
          value={scope}
          onChange={(value) => set('scope', value)}
          data={CONSOLE_SCOPES.map((value) => ({ value, label: SCOPES[value].label }))}
        />
      </PageHead>
      <WhenLoaded from={overview}>{(data) => <Figures overview={data} />}</WhenLoaded>
    </>
  );
}

function Figures({ overview }: { overview: ConsoleOverview }) {
  const { scope, outcomes, reasons, reasons_of, funnel } = overview;
  const urgent = (
    <>
      <Failing receivers={overview.failing} />
      <Tiles overview={overview} all={outcomes?.find((row) => row.by === 'all') ?? null} />
    </>
  );
  if (funnel.created === 0) {
    return (
      <>
        {urgent}
        <Section title="No challenges yet">
          <Text>
            {SCOPES[scope].begin} Keys are made under <Anchor href="#/accounts">Accounts</Anchor>.
          </Text>
        </Section>
      </>
    );
  }
  return (
    <>
      {urgent}
      {!(overview.days && outcomes) && (
        <Alert color="yellow" title="Not counted">
          There are too many challenges to count the days in five seconds. The charts show what was counted.
        </Alert>
      )}
      <DayCharts days={overview.days} outcomes={outcomes} outcomesOf={overview.outcomes_of} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Section title="By browser">
          <OutcomeTable by="browser" rows={outcomes} />
        </Section>
        <Section title="By level">
          <OutcomeTable by="level" rows={outcomes} />
        </Section>
        <Section
          title="By reason"
          about="People whose first try was sent back, by the reason they were told, and whether they got in after all."
        >
          <OutcomeTable by="reason" rows={outcomes} />
        </Section>
        <Section title="How far people get" about="Of the newest challenges, each in the share of all links.">
          <Funnel funnel={funnel} />
        </Section>
        <Section title="Reasons" about={`In the results of the last ${reasons_of} judged challenges.`}>
          {reasons.length === 0 && <Text c="dimmed">No result has had a reason.</Text>}
          <Bars
            bars={reasons.map(({ reason, count }) => ({ name: wordsOf(reason), count, color: 'orange.6' }))}
            of={reasons_of}
          />
        </Section>
      </SimpleGrid>
    </>
  );
}

function Tiles({ overview, all }: { overview: ConsoleOverview; all: ConsoleOutcomes | null }) {
  const { queue, deliveries, judgement_ms } = overview;
  const inMs = (ms: number | null) => secondsText(ms === null ? null : ms / 1000);
  const shareOf = (part: number) => percentText(all?.people ? part / all.people : null);
  const nobody = overview.outcomes ? 'nobody yet' : countText(null);
  const people = all ? `of ${countText(all.people)} people` : nobody;
  return (
    <SimpleGrid cols={{ base: 2, md: 3, xl: 6 }} spacing="sm">
      <Tile name="In at the first try" value={shareOf(all?.passed_first ?? 0)} more={people} />
      <Tile name="In within three tries" value={shareOf(all?.passed ?? 0)} more={people} />
      <Tile
        name="From start to result"
        value={secondsText(all?.median_seconds ?? null)}
        more={`half; 90 % within ${secondsText(all?.p90_seconds ?? null)}`}
      />
      <Tile
        name="Upload to result"
        value={inMs(judgement_ms.median)}
        more={`half of ${judgement_ms.n}; 95 % within ${inMs(judgement_ms.p95)}`}
      />
      <Tile
        name="Waiting for judgement"
        value={countText(queue.waiting)}
        more={queue.waiting === 0 ? 'the queue is empty' : `oldest ${secondsText(queue.oldest_seconds)}`}
      />
      <Tile
        name="Deliveries pending"
        value={countText(deliveries.pending)}
        more={`${countText(deliveries.failed_last_day)} failed in 24 hours`}
      />
    </SimpleGrid>
  );
}

function Failing({ receivers }: { receivers: ConsoleOverview['failing'] }) {
  if (receivers.length === 0) return null;
  return (
    <Alert color="red" title="Receivers that do not get all their events">
      <List size="sm" listStyleType="none">
        {receivers.map(({ receiver, endpoint, account_name, failed, pending }) => (
          <List.Item key={receiver}>
            <Anchor
              inherit
              c="inherit"
              underline="always"
              href={`#/deliveries?receiver=${receiver}`}
              style={{ overflowWrap: 'anywhere' }}
            >
              {endpoint}
            </Anchor>{' '}
            of {account_name}: {countText(failed)} failed, {countText(pending)} pending
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

const STEPS = {
  created: 'Link created',
  opened: 'Started',
  camera: 'Camera allowed',
  recorded: 'Recording arrived',
  judged: 'Judged',
  passed: 'Passed',
} as const;

function Funnel({ funnel }: { funnel: ConsoleOverview['funnel'] }) {
  const steps = (Object.keys(STEPS) as (keyof typeof STEPS)[]).map((step) => ({
    name: STEPS[step],
    count: funnel[step],
  }));
  const sentBack = funnel.sent_back.map(({ reason, count }) => ({
    name: `Sent back: ${wordsOf(reason)}`,
    count,
    color: 'orange.6',
  }));
  const ways = funnel.ways.map(({ way, count }) => ({
    name: `Judged ${wordsOf(way)}`,
    count,
    color: 'grape.5',
  }));
  return <Bars bars={[...steps, ...sentBack, ...ways]} of={funnel.created} />;
}
