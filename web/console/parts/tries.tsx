// Every try of a challenge: why its recording was sent back or how it was judged, its checks, and its curves.
import { Accordion, Code, Group, Image, Stack, Text, Title } from '@mantine/core';
import type { ConsoleCapture, ConsoleChallengeDetail } from '../../../src/contract/console.ts';
import { CueTable } from './cue-table.tsx';
import { Outcome } from './outcome.tsx';
import { Time } from './time.tsx';
import { bytesText } from './words.ts';

/** The last try comes first: it is the one that counts. */
export function Tries({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const judged = challenge.captures.filter(({ judgement }) => judgement !== null);
  // Judged by the sandbox, or by a version that kept only the last judgement.
  if (judged.length === 0 && challenge.liveness)
    return <CueTable name="the judgement" judgement={{ ...challenge, liveness: challenge.liveness }} />;
  return (
    <Stack gap="xl">
      {[...judged].reverse().map((capture) => (
        <Try key={capture.capture_id} challengeId={challenge.challenge_id} capture={capture} />
      ))}
    </Stack>
  );
}

function Try({ challengeId, capture }: { challengeId: string; capture: ConsoleCapture }) {
  const { attempt, judgement, rejected_reason, submitted_at, capture_id } = capture;
  const name = `try ${attempt}`;
  const curves = `/console/api/challenges/${challengeId}/captures/${capture_id}/curves.svg`;
  if (!judgement) return null;
  return (
    <Stack component="article" gap="xs" aria-label={`Try ${attempt}`}>
      <Title order={3} size="h5">
        Try {attempt} <Outcome word={rejected_reason ? 'sent back' : 'judged'} />
      </Title>
      <Group gap="xs">
        <Text size="sm">
          <Time at={submitted_at} />, {bytesText(capture.size_bytes)}
        </Text>
        {judgement.reasons.map((reason) => (
          <Code key={reason}>{reason}</Code>
        ))}
      </Group>
      {rejected_reason && (
        <Text size="sm" c="dimmed">
          No video: when a try is sent back, its video is deleted at once, because it decides nothing. Its
          checks and curves are kept.
        </Text>
      )}
      <CueTable name={name} judgement={judgement} />
      <Accordion>
        <Accordion.Item value="curves">
          <Accordion.Control>Curves of {name}</Accordion.Control>
          <Accordion.Panel style={{ overflowX: 'auto' }}>
            <a href={curves} target="_blank" rel="noopener">
              <Image
                src={curves}
                loading="lazy"
                miw="44rem"
                bg="white"
                alt={`How well each prompt was answered, identity and motion over time in ${name}; the checks above give the outcome`}
              />
            </a>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}
