// Tracks who is signed in, and shows the navigation and the page that the address names.
import { Center, Loader } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import type { ConsoleSession } from '../../src/contract/console.ts';
import { AccountsPage } from './pages/accounts.tsx';
import { AuditPage } from './pages/audit.tsx';
import { ChallengePage } from './pages/challenge.tsx';
import { ChallengesPage } from './pages/challenges.tsx';
import { DeliveriesPage } from './pages/deliveries.tsx';
import { FeatidsPage } from './pages/featids.tsx';
import { OverviewPage } from './pages/overview.tsx';
import { RetentionPage } from './pages/retention.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { createApi, resumeSession } from './parts/api.ts';
import type { ConsolePage } from './parts/console-page.ts';
import { SignedIn } from './parts/signed-in.ts';
import { useAddress } from './parts/use-address.ts';
import { Failure } from './parts/when-loaded.tsx';
import { Shell } from './shell.tsx';

const PAGES: readonly [ConsolePage, ...ConsolePage[]] = [
  { path: '/', title: 'Overview', page: OverviewPage },
  { path: '/challenges', title: 'Challenges', page: ChallengesPage },
  { path: '/deliveries', title: 'Deliveries', page: DeliveriesPage },
  { path: '/featids', title: 'FeatureIDs', page: FeatidsPage },
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
  const resume = () => {
    setWho({ known: false, error: null });
    resumeSession().then(
      (session) => setWho({ known: true, session }),
      (error: Error) => setWho({ known: false, error: error.message }),
    );
  };
  useEffect(resume, []);
  if (!who.known) {
    return (
      <Center mih="100vh" p="md" component="main">
        {who.error ? <Failure text={who.error} retry={resume} /> : <Loader aria-label="One moment …" />}
      </Center>
    );
  }
  if (!who.session) {
    return (
      <SignInPage wasOpen={who.wasOpen === true} onSignedIn={(session) => setWho({ known: true, session })} />
    );
  }
  return (
    <Pages
      session={who.session}
      furtherPages={furtherPages}
      onSignedOut={() => setWho({ known: true, session: null })}
      onEnded={() => setWho({ known: true, session: null, wasOpen: true })}
      onOther={(session) => setWho({ known: true, session })}
    />
  );
}

interface PagesProps {
  readonly session: ConsoleSession;
  readonly furtherPages: readonly ConsolePage[];
  readonly onSignedOut: () => void;
  readonly onEnded: () => void;
  readonly onOther: (session: ConsoleSession) => void;
}

function Pages({ session, furtherPages, onSignedOut, onEnded, onOther }: PagesProps) {
  const pages = [...PAGES, ...furtherPages.filter(({ path }) => session.further_pages.includes(path))];
  const api = useMemo(() => createApi(session, onEnded, onOther), [session]);
  const { path } = useAddress();
  const challengeId = /^\/challenges\/(ch_\w+)$/.exec(path)?.[1];
  const current = pages.find((page) => page.path === `/${path.split('/')[1] ?? ''}`) ?? PAGES[0];
  const Current = current.page;
  return (
    <SignedIn value={api}>
      <Shell pages={pages} current={current} title={challengeId ?? current.title} onSignedOut={onSignedOut}>
        {challengeId ? <ChallengePage key={challengeId} id={challengeId} /> : <Current key={current.path} />}
      </Shell>
    </SignedIn>
  );
}
