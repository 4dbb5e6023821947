// The operator's console, with the pages of every room.
import '@mantine/core/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { createRoot } from 'react-dom/client';
import { FURTHER_PAGES } from '../../src/composition/page/further-pages.ts';
import { App } from './app.tsx';
import { readableColours, THEME } from './theme.ts';

/** The browser hides it from attributes, not from scripts of the page. */
const { nonce = '' } = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')!;

createRoot(document.getElementById('app')!).render(
  <MantineProvider
    theme={THEME}
    cssVariablesResolver={readableColours}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <Notifications />
    <App furtherPages={FURTHER_PAGES} />
  </MantineProvider>,
);
