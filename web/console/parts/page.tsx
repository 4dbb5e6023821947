// What a page is made of: its head, and its sections.
import { Alert, DataList, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsoleRole } from '../../../src/contract/console.ts';
import { useRefusal } from './signed-in.ts';

/** The page's title, what it is about, and what switches it as a whole. */
export function PageHead(props: { title: string; about?: ReactNode; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <div>
        <Title order={1} style={{ overflowWrap: 'anywhere' }}>
          {props.title}
        </Title>
        {props.about && (
          <Text c="dimmed" maw="50rem">
            {props.about}
          </Text>
        )}
      </div>
      {props.children}
    </Group>
  );
}

/** Says what somebody of a lower role may not do on a page. */
export function RoleNote({ needs, what }: { needs: ConsoleRole; what: string }) {
  const refusal = useRefusal(needs);
  if (refusal === null) return null;
  return (
    <Alert color="gray" role="note" title={what}>
      {refusal} Ask whoever assigns the roles.
    </Alert>
  );
}

export function Section(props: { title: string; about?: ReactNode; aside?: ReactNode; children: ReactNode }) {
  return (
    <Paper miw={0}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={2} size="h4">
              {props.title}
            </Title>
            {props.about && (
              <Text size="sm" c="dimmed">
                {props.about}
              </Text>
            )}
          </div>
          {props.aside}
        </Group>
        {props.children}
      </Stack>
    </Paper>
  );
}

/** Names with their values; those that have none are left out. */
export function Facts({ of }: { of: Readonly<Record<string, ReactNode>> }) {
  const known = Object.entries(of).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return (
    <DataList labelWidth="7rem" gap={6}>
      {known.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
