// What is shown while data is read, and if it cannot be.
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Loaded } from './use-loaded.ts';

/** Why something cannot be shown, and how to try again. */
export function Failure({ text, retry }: { text: string; retry: () => void }) {
  return (
    <Alert color="red" title="This could not be read">
      <Stack gap="xs" align="flex-start">
        {text}
        <Button onClick={retry}>Try again</Button>
      </Stack>
    </Alert>
  );
}

/** Shows the data once it is loaded; until then, that it is being read, or why it cannot be. */
export function WhenLoaded<Data>(props: { from: Loaded<Data>; children: (data: Data) => ReactNode }) {
  const { data, error, reload } = props.from;
  return (
    <>
      {error && <Failure text={error} retry={reload} />}
      {data && props.children(data)}
      {!data && !error && (
        <Group gap="xs" role="status">
          <Loader size="sm" />
          <Text c="dimmed">Loading …</Text>
        </Group>
      )}
    </>
  );
}
