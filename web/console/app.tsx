// Tracks who is signed in, and shows the navigation and the page that the address names.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleSession } from '../../src/contract/console.ts';
import { AccountsPage } from './pages/accounts.tsx';
import { AuditPage } from './pages/audit.tsx';
import { ChallengePage } from './pages/challenge.tsx';
import { ChallengesPage } from './pages/challenges.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RetentionPage } from './pages/retention.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { type Api, createApi, resumeSession } from './parts/api.ts';
import { ConfirmButton, Refusal } from './parts/shown.tsx';
import { useAddress } from './parts/use.ts';

/** A page of the console, and its address in the part after `#`. */
export interface ConsolePage {
  readonly path: string;
  readonly title: string;
  readonly page: (props: { api: Api }) => JSX.Element;
}

const PAGES: readonly [ConsolePage, ...ConsolePage[]] = [
  { path: '/', title: 'Overview', page: OverviewPage },
  { path: '/challenges', title: 'Challenges', page: ChallengesPage },
  { path: '/deliveries', title: 'Deliveries', page: DeliveriesPage },
  { path: '/accounts', title: 'Accounts', page: AccountsPage },
  { path: '/retention', title: 'Retention', page: RetentionPage },
  { path: '/audit', title: 'Audit log', page: AuditPage },
];

type Who =
  | { known: false; error: string | null }
  /** `wasOpen`: the session ended just now without anybody pressing the button. */
  | { known: true; session: ConsoleSession | null; wasOpen?: boolean };

/** `furtherPages`: pages that are shown only if the service names them. */
export function App({ furtherPages }: { furtherPages: readonly ConsolePage[] }) {
  const [who, setWho] = useState<Who>({ known: false, error: null });
  useEffect(() => {
    resumeSession().then(
      (session) => setWho({ known: true, session }),
      (error: Error) => setWho({ known: false, error: error.message }),
    );
  }, []);
  if (!who.known) return <p class="alone">{who.error ?? 'One moment …'}</p>;
  if (!who.session) {
    return (
      <SignInPage wasOpen={who.wasOpen === true} onSignedIn={(session) => setWho({ known: true, session })} />
    );
  }
  return (
    <SignedIn
      session={who.session}
      furtherPages={furtherPages}
      onSignedOut={() => setWho({ known: true, session: null })}
      onEnded={() => setWho({ known: true, session: null, wasOpen: true })}
    />
  );
}

interface SignedInProps {
  readonly session: ConsoleSession;
  readonly furtherPages: readonly ConsolePage[];
  readonly onSignedOut: () => void;
  readonly onEnded: () => void;
}

function SignedIn({ session, furtherPages, onSignedOut, onEnded }: SignedInProps) {
  const pages = [...PAGES, ...furtherPages.filter(({ path }) => session.further_pages.includes(path))];
  const api = useMemo(() => createApi(session, onEnded), [session, onEnded]);
  const address = useAddress();
  const challengeId = /^\/challenges\/(ch_\w+)$/.exec(address)?.[1];
  const current = pages.find(({ path }) => path === `/${address.split('/')[1] ?? ''}`) ?? PAGES[0];
  const Current = current.page;
  const title = challengeId ?? current.title;
  // Also from the list to one of its challenges: the link that was followed is gone, and the focus with it.
  useEffect(() => {
    document.title = `${title} · Likeness console`;
    document.querySelector('main')?.focus();
  }, [title]);
  const [error, setError] = useState<string | null>(null);
  const signOut = (path: '/logout' | '/logout-everywhere') => () =>
    // A session that still exists at the service is not over, whatever this page shows.
    void api
      .send('POST', path)
      .then(onSignedOut, (refusal: Error) => setError(`You are still signed in. ${refusal.message}`));
  return (
    <>
      <header>
        <strong>Likeness</strong>
        <span class="soft">
          {session.region} · {session.version}
        </span>
        <nav aria-label="Pages">
          {pages.map(({ path, title }) => (
            <a key={path} href={`#${path}`} aria-current={path === current.path ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <button type="button" class="quiet" onClick={signOut('/logout')}>
          Sign out
        </button>
        <ConfirmButton
          label="Sign out everywhere"
          confirmLabel="Yes, end every session on every device"
          press={signOut('/logout-everywhere')}
          quiet
        />
      </header>
      <main tabIndex={-1}>
        <Refusal text={error} />
        {challengeId ? <ChallengePage key={challengeId} api={api} id={challengeId} /> : <Current api={api} />}
      </main>
    </>
  );
}
