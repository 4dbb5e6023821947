// The operator's password.
import { useState } from 'preact/hooks';
import type { ConsoleSession } from '../../../src/contract/console.ts';
import { signIn } from '../api.ts';

export function SignInPage({ onSignedIn }: { onSignedIn: (session: ConsoleSession) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    signIn(password)
      .then(onSignedIn, (refusal: Error) => setError(refusal.message))
      .finally(() => setBusy(false));
  };
  return (
    <main class="alone">
      <h1>Likeness console</h1>
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
