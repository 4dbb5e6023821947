// One delivery with every attempt, and sending it again.
import { Code, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import type { Delivery } from '../../../src/contract/delivery.ts';
import { Outcome } from './outcome.tsx';
import { Redeliver } from './redeliver.tsx';
import { Time } from './time.tsx';
import { wordsOf } from './words.ts';

export function DeliveryAttempts({ delivery }: { delivery: Delivery }) {
  const { event, endpoint_url, status, attempts, next_attempt_at, delivery_id } = delivery;
  return (
    <Stack component="article" gap="xs" align="flex-start">
      <Title order={3} size="h5">
        {event} to <Code fz="sm">{endpoint_url}</Code> <Outcome word={status} />
      </Title>
      <Timeline bulletSize={12} lineWidth={2} active={attempts.length}>
        {attempts.map(({ at, outcome, response_status, duration_ms, excerpt }) => (
          <Timeline.Item key={at} title={wordsOf(outcome)}>
            <Text size="sm" c="dimmed">
              <Time at={at} />, {response_status !== null && `HTTP ${response_status}, `}
              {duration_ms} ms
            </Text>
            {excerpt && (
              <Code block mt={4} style={{ whiteSpace: 'pre-wrap' }}>
                {excerpt}
              </Code>
            )}
          </Timeline.Item>
        ))}
      </Timeline>
      <Group>
        <Redeliver deliveryId={delivery_id} />
        {next_attempt_at && (
          <Text size="sm" c="dimmed">
            Next attempt <Time at={next_attempt_at} />
          </Text>
        )}
      </Group>
    </Stack>
  );
}
