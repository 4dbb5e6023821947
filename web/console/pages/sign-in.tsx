// Sign-in: the operator's password and, if set up, the code of the second factor.
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleSession } from '../../../src/contract/console.ts';
import { ConsoleProblem, readSignIn, signIn } from '../parts/api.ts';

interface SignInProps {
  /** Whether a session on this page has just ended by itself. */
  readonly wasOpen: boolean;
  readonly onSignedIn: (session: ConsoleSession) => void;
}

export function SignInPage({ wasOpen, onSignedIn }: SignInProps) {
  const [needsCode, setNeedsCode] = useState<boolean | null>(null);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const learn = async (): Promise<boolean> => {
    const { needs_code } = await readSignIn();
    setNeedsCode(needs_code);
    return needs_code;
  };
  useEffect(() => {
    learn().catch((refusal: Error) => setError(refusal.message));
  }, []);
  const attempt = async (): Promise<void> => {
    // A person whose browser fills the password in presses Enter before the answer is there.
    const needed = needsCode ?? (await learn());
    // The field has only just appeared.
    if (needed && code === '') return setError('Enter the code from your authenticator, too.');
    onSignedIn(await signIn(needed ? { password, code } : { password }));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    attempt()
      .catch((refusal: Error) => {
        setError(wordsOf(refusal));
        // A code works only once, so the next attempt needs a new one.
        setCode('');
      })
      .finally(() => setBusy(false));
  };
  return (
    <main class="alone">
      <h1>Likeness console</h1>
      {wasOpen && <p class="soft">You were signed out: the session was idle for too long, or was ended.</p>}
      <form onSubmit={submit}>
        <label>
          Operator password
          <input
            type="password"
            autoComplete="current-password"
            required
            value={password}
            aria-invalid={error !== null}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        {needsCode && (
          <label>
            Code from your authenticator
            <input
              type="text"
              inputMode="numeric"
              autoComplete="one-time-code"
              pattern="[0-9 ]{6,7}"
              title="Six digits"
              maxLength={7}
              required
              value={code}
              aria-invalid={error !== null}
              onInput={(event) => setCode(event.currentTarget.value)}
            />
          </label>
        )}
        <p role="alert" class="error">
          {error}
        </p>
        <button type="submit" disabled={busy}>
          {busy ? 'Checking …' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}

/** What to do about a refusal, in addition to the service's own message. */
function wordsOf(refusal: Error): string {
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
