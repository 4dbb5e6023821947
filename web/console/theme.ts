// How the console looks: Mantine's theme, with what it lacks in contrast (WCAG 2.2, 1.4.3).
import {
  Accordion,
  Alert,
  Badge,
  Button,
  Code,
  type CSSVariablesResolver,
  createTheme,
  NavLink,
  Notification,
  Paper,
} from '@mantine/core';

export const THEME = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  headings: { sizes: { h1: { fontSize: '1.6rem', lineHeight: '1.3' } } },
  components: {
    Accordion: Accordion.extend({
      defaultProps: { variant: 'contained' },
      styles: { label: { fontSize: 'var(--mantine-font-size-sm)' } },
    }),
    Alert: Alert.extend({ defaultProps: { variant: 'light' } }),
    // As wide as its word, which a narrow column would cut off.
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', radius: 'sm', miw: 'max-content' } }),
    Button: Button.extend({ defaultProps: { variant: 'default', size: 'xs' } }),
    Code: Code.extend({ styles: { root: { overflowWrap: 'anywhere' } } }),
    NavLink: NavLink.extend({ styles: { root: { borderRadius: 'var(--mantine-radius-md)' } } }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
      // Below a title it would be grey.
      styles: { description: { color: 'var(--mantine-color-text)' } },
    }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, p: 'md' } }),
  },
});

export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-green-light-color': '#1b5e2a',
    '--mantine-color-yellow-light-color': '#7a4100',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
