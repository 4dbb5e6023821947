// How the console looks: Mantine's theme, with what it lacks in contrast (WCAG 2.2, 1.4.3).
import {
  Alert,
  Badge,
  Button,
  Code,
  type CSSVariablesResolver,
  createTheme,
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
    Alert: Alert.extend({ defaultProps: { variant: 'light' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', radius: 'sm', fw: 600 } }),
    Button: Button.extend({ defaultProps: { variant: 'default' } }),
    Code: Code.extend({ styles: { root: { overflowWrap: 'anywhere' } } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    Paper: Paper.extend({ defaultProps: { withBorder: true, p: 'md' } }),
  },
});

export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
