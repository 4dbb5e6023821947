// A new secret: shown once, to be copied now.
import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';

/** `secrets`: what each is for, and the secret; those that are null are left out. */
export function ShownOnce({
  secrets,
  note,
}: {
  secrets: Readonly<Record<string, string | null>>;
  note?: string;
}) {
  return (
    <Alert color="yellow" title="Shown once: copy it now" role="status">
      <Stack gap="xs">
        {Object.entries(secrets).map(([name, secret]) =>
          secret === null ? null : (
            <div key={name}>
              <Text size="sm">{name}</Text>
              <Group gap="xs">
                <Code fz="sm">{secret}</Code>
                <CopyButton value={secret}>
                  {({ copied, copy }) => (
                    <Button onClick={copy} aria-label={`Copy: ${name}`}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              </Group>
            </div>
          ),
        )}
        {note && <Text size="sm">{note}</Text>}
      </Stack>
    </Alert>
  );
}
