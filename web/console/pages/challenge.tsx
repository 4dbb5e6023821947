// One challenge: what happened when, what was judged and why, who was notified, and the images (each view is audited).
import { Anchor, Code, Grid, Stack, Title } from '@mantine/core';
import type {
  ConsoleChallengeDetail,
  ConsoleComparison,
  ConsoleScores,
} from '../../../src/contract/console.ts';
import { Asset } from '../parts/asset.tsx';
import { ChallengeFacts } from '../parts/challenge-facts.tsx';
import { DeliveryAttempts } from '../parts/delivery-attempts.tsx';
import { Events } from '../parts/events.tsx';
import { FaceMap } from '../parts/face-map.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { PageHead, Section } from '../parts/page.tsx';
import { ScoreScale } from '../parts/score-scale.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Tries } from '../parts/tries.tsx';
import { REFRESH_MS, useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';

export function ChallengePage({ id }: { id: string }) {
  const api = useApi();
  const challenge = useLoaded(
    (reading) => api.get<ConsoleChallengeDetail>(`/challenges/${id}`, reading),
    id,
    REFRESH_MS,
  );
  return (
    <>
      <PageHead title={id} about={<Anchor href="#/challenges">All challenges</Anchor>} />
      <WhenLoaded from={challenge}>{(data) => <Detail challenge={data} />}</WhenLoaded>
    </>
  );
}

function Detail({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { assets, captures, comparisons, deliveries, liveness } = challenge;
  const isJudged = liveness !== null || captures.some(({ judgement }) => judgement);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="lg">
          <Section title="Challenge">
            <ChallengeFacts challenge={challenge} />
          </Section>
          {assets.length > 0 && (
            <Section title="Video and best frame" about="Every view is written to the audit log.">
              {assets.map((asset) => (
                <Asset key={asset.asset_id} challengeId={challenge.challenge_id} asset={asset} />
              ))}
            </Section>
          )}
          <Section title="What happened">
            <Events challenge={challenge} />
          </Section>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <Stack gap="lg">
          {isJudged && (
            <Section title="Judgement">
              <Tries challenge={challenge} />
            </Section>
          )}
          {comparisons.length > 0 && <Comparisons comparisons={comparisons} />}
          {deliveries.length > 0 && (
            <Section title="Webhooks">
              {deliveries.map((delivery) => (
                <DeliveryAttempts key={delivery.delivery_id} delivery={delivery} />
              ))}
            </Section>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Comparisons({ comparisons }: { comparisons: readonly ConsoleComparison[] }) {
  const api = useApi();
  const scores = useLoaded(
    (reading) => api.get<{ data: ConsoleScores | null }>('/scores', reading),
    'scores',
  );
  return (
    <Section title="Comparison">
      {comparisons.map((comparison, at) => (
        <Stack component="article" key={`${comparison.featid_hint} ${at}`} gap="md">
          <Title order={3} size="h5">
            <Code fz="sm">{comparison.featid_hint}</Code> <Outcome word={comparison.result} />
          </Title>
          <ScoreScale score={comparison.score} scores={scores.data?.data ?? null} />
          <FaceMap strengths={comparison.region_strengths} told={comparison.likeness_features} />
        </Stack>
      ))}
    </Section>
  );
}
