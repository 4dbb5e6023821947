// Sign-in: by OpenID Connect if set up, and by the operator's password with the code of the second factor.
import {
  Alert,
  Button,
  Center,
  Divider,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import {
  type ConsoleSession,
  type ConsoleSignIn,
  OPENID_REFUSALS,
  OPENID_SIGN_IN,
  type OpenidRefusal,
} from '../../../src/contract/console.ts';
import { ConsoleProblem, readSignIn, signIn } from '../parts/api.ts';

interface SignInProps {
  /** Whether a session on this page has just ended by itself. */
  readonly wasOpen: boolean;
  readonly onSignedIn: (session: ConsoleSession) => void;
}

export function SignInPage({ wasOpen, onSignedIn }: SignInProps) {
  const [ways, setWays] = useState<ConsoleSignIn | null>(null);
  const [error, setError] = useState<string | null>(null);
  const learn = async (): Promise<ConsoleSignIn> => {
    const answer = await readSignIn();
    setWays(answer);
    return answer;
  };
  useEffect(() => {
    document.title = 'Sign in · Likeness console';
    learn().catch((refusal: Error) => setError(refusal.message));
  }, []);
  const openid = ways?.openid;
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper w="100%" maw="26rem" p="lg" shadow="sm">
        <Stack>
          <Title order={1}>Likeness console</Title>
          {wasOpen && (
            <Text c="dimmed">You were signed out: the session was idle for too long, or was ended.</Text>
          )}
          <OpenidRefused ways={ways} />
          {openid && (
            <>
              <Button component="a" href={OPENID_SIGN_IN} variant="filled" size="sm">
                Sign in with {openid.name}
              </Button>
              {ways.password && <Divider label="or with the shared password" />}
            </>
          )}
          {ways?.password !== false && (
            <PasswordForm
              ways={ways}
              learn={learn}
              error={error}
              setError={setError}
              onSignedIn={onSignedIn}
            />
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

interface PasswordFormProps {
  readonly ways: ConsoleSignIn | null;
  readonly learn: () => Promise<ConsoleSignIn>;
  readonly error: string | null;
  readonly setError: (error: string) => void;
  readonly onSignedIn: (session: ConsoleSession) => void;
}

function PasswordForm({ ways, learn, error, setError, onSignedIn }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const attempt = async (): Promise<void> => {
    // A person whose browser fills the password in presses Enter before the answer is there.
    const { needs_code } = ways ?? (await learn());
    // The field has only just appeared.
    if (needs_code && code === '') return setError('Enter the code from your authenticator, too.');
    onSignedIn(await signIn(needs_code ? { password, code } : { password }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    attempt()
      .catch((refusal: Error) => {
        setError(adviceOn(refusal));
        // A code works only once, so the next attempt needs a new one.
        setCode('');
      })
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Operator password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          aria-invalid={error !== null}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {ways?.needs_code && (
          <TextInput
            label="Code from your authenticator"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9 ]{6,7}"
            title="Six digits"
            maxLength={7}
            required
            withAsterisk={false}
            value={code}
            aria-invalid={error !== null}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {error && <Alert color="red">{error}</Alert>}
        <Button type="submit" size="sm" disabled={busy} variant={ways?.openid ? 'default' : 'filled'}>
          {busy ? 'Checking …' : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}

/** Why the browser came back from the OpenID Provider without a session. */
function OpenidRefused({ ways }: { ways: ConsoleSignIn | null }) {
  const [code] = useState(() => new URLSearchParams(location.search).get('sign_in'));
  // Told once: it is no longer so after a later sign-in.
  useEffect(() => history.replaceState(null, '', location.pathname + location.hash), []);
  const refusal = OPENID_REFUSALS.find((each) => each === code);
  if (!refusal || !ways?.openid) return null;
  const { name, roles_claim } = ways.openid;
  const advice: Readonly<Record<OpenidRefusal, string>> = {
    refused: `${name} did not sign you in. Try again, or ask whoever runs it.`,
    no_role: `${name} knows you, but its claim ${roles_claim} gives you no role here. Ask whoever assigns the roles.`,
    unavailable: `${name} does not answer. Try again later; in an emergency, use the password.`,
    expired: 'That took too long. Sign in again.',
    invalid: `The answer of ${name} does not hold. Try again; if it stays so, the log of the service says why.`,
  };
  return <Alert color="red">{advice[refusal]}</Alert>;
}

/** What to do about a refusal, in addition to the service's own message. */
function adviceOn(refusal: Error): string {
  if (!(refusal instanceof ConsoleProblem)) return refusal.message;
  const { status, message, retryAfterSeconds } = refusal;
  if (status === 503) return `Other sign-ins are in progress. Try again ${timeText(retryAfterSeconds)}.`;
  if (status === 429) return `${message} Try again ${timeText(retryAfterSeconds)}.`;
  return message;
}

function timeText(seconds: number | null): string {
  if (seconds === null) return 'later';
  return seconds < 90 ? `in ${seconds} seconds` : `in ${Math.ceil(seconds / 60)} minutes`;
}
