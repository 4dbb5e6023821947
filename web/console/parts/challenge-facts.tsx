// What was asked of a challenge and what became of it.
import { Accordion, Code, Group, Text } from '@mantine/core';
import type { ConsoleChallengeDetail } from '../../../src/contract/console.ts';
import { Outcome } from './outcome.tsx';
import { Facts } from './page.tsx';
import { Time } from './time.tsx';
import { passkeyText } from './words.ts';

export function ChallengeFacts({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { liveness_only, liveness_level, sandbox, device_binding, reasons } = challenge;
  return (
    <Facts
      of={{
        Status: <Outcome word={challenge.status} />,
        Result: <Outcome word={challenge.overall_result} />,
        Reasons:
          reasons.length === 0 ? null : (
            <Group gap={6}>
              {reasons.map((reason) => (
                <Code key={reason}>{reason}</Code>
              ))}
            </Group>
          ),
        Account: challenge.account_name,
        Reference: challenge.customer_reference ?? '–',
        Mode: `${liveness_only ? 'liveness only' : 'comparison'}, ${liveness_level}${sandbox ? ', sandbox: nobody was checked' : ''}`,
        Device: device_binding === 'off' ? null : <Device challenge={challenge} />,
        Consent: <Consent challenge={challenge} />,
        Created: <Time at={challenge.created_at} />,
        Expires: <Time at={challenge.expires_at} />,
      }}
    />
  );
}

function Consent({ challenge: { consent, require_consent } }: { challenge: ConsoleChallengeDetail }) {
  if (!consent) return require_consent ? 'required, not given' : 'not required';
  return (
    <>
      given, text {consent.text_version} ({consent.language})
      {consent.client_text && (
        <Accordion mt={4}>
          <Accordion.Item value="text">
            <Accordion.Control>Text added by the client</Accordion.Control>
            <Accordion.Panel style={{ whiteSpace: 'pre-wrap' }}>{consent.client_text}</Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </>
  );
}

/** The device beside the face: what was asked of it, and what it showed. */
function Device({ challenge }: { challenge: ConsoleChallengeDetail }) {
  const { device_binding, allow_new_device, liveness_level_when_bound, device_result: shown } = challenge;
  return (
    <>
      {device_binding === 'require' ? 'required' : 'offered'}
      {allow_new_device && ', a new one allowed'}
      {liveness_level_when_bound && `, ${liveness_level_when_bound} where it signs`}
      {shown && ': '}
      {shown && <Outcome word={shown.status} />}
      {shown?.credential_since && (
        <Text size="sm" c="dimmed">
          {passkeyText(shown.backed_up === true)}, since <Time at={shown.credential_since} />
        </Text>
      )}
    </>
  );
}
