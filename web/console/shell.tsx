// What surrounds every page: the navigation (behind a burger on a phone), who is signed in, light or dark.
import {
  AppShell,
  Burger,
  Button,
  Group,
  Image,
  type MantineColorScheme,
  NavLink,
  ScrollArea,
  SegmentedControl,
  Stack,
  Text,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { ActionButton } from './parts/action-button.tsx';
import type { ConsolePage } from './parts/console-page.ts';
import { useApi } from './parts/signed-in.ts';
import { useAction } from './parts/use-action.ts';
import { PHONE, useIsPhone } from './parts/use-phone.ts';

const ICON = new URL('./icon.svg', import.meta.url).href;

interface ShellProps {
  readonly pages: readonly ConsolePage[];
  readonly current: ConsolePage;
  /** Of what is shown: the page, or one challenge. */
  readonly title: string;
  readonly onSignedOut: () => void;
  readonly children: ReactNode;
}

export function Shell({ pages, current, title, onSignedOut, children }: ShellProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const isPhone = useIsPhone();
  // Also from the list to one of its challenges: the link that was followed is gone, and the focus with it.
  useEffect(() => {
    document.title = `${title} · Likeness console`;
    close();
    document.querySelector('main')?.focus();
  }, [title, close]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: PHONE, collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={isOpen}
            onClick={toggle}
            hiddenFrom={PHONE}
            size="sm"
            aria-label="Navigation"
            aria-expanded={isOpen}
          />
          <Image src={ICON} alt="" w={26} h={26} />
          <Text fw={700}>Likeness</Text>
          <Where />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label="Pages" inert={isPhone && !isOpen}>
        <AppShell.Section grow component={ScrollArea}>
          {pages.map((page) => (
            <NavLink
              key={page.path}
              href={`#${page.path}`}
              label={page.title}
              active={page === current}
              aria-current={page === current ? 'page' : undefined}
              onClick={close}
            />
          ))}
        </AppShell.Section>
        <AppShell.Section>
          <Person onSignedOut={onSignedOut} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main
        tabIndex={-1}
        inert={isPhone && isOpen}
        style={{
          outline: 'none',
          background: 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-8))',
        }}
      >
        <Stack gap="lg" maw="90rem" mx="auto">
          {children}
        </Stack>
      </AppShell.Main>
    </AppShell>
  );
}

function Where() {
  const { region, version } = useApi().session;
  return (
    <Text size="sm" c="dimmed">
      {region} · {version}
    </Text>
  );
}

function Person({ onSignedOut }: { onSignedOut: () => void }) {
  const api = useApi();
  const { busy, run } = useAction();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { name, role } = api.session.person;
  const signOut = (path: '/logout' | '/logout-everywhere') => () =>
    // A session that still exists at the service is not over, whatever this page shows.
    run(() => api.send('POST', path), onSignedOut, 'You are still signed in');
  return (
    <Stack gap="xs" pt="sm">
      <div>
        <Text size="sm" fw={600} truncate>
          {name ?? 'Shared password'}
        </Text>
        <Text size="xs" c="dimmed">
          Role: {role}
        </Text>
      </div>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label="Colours"
        value={colorScheme}
        onChange={(value) => setColorScheme(value as MantineColorScheme)}
        data={[
          { value: 'auto', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
      <Button disabled={busy} onClick={signOut('/logout')}>
        Sign out
      </Button>
      <ActionButton
        variant="subtle"
        label="Sign out everywhere"
        needs="administrator"
        confirm="Yes, end every session"
        press={signOut('/logout-everywhere')}
      />
    </Stack>
  );
}
