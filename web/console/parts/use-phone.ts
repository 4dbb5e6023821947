// Whether the window is as narrow as a phone's.
import { useMatches } from '@mantine/core';

/** The width below which the navigation is behind a burger, and tables become cards. */
export const PHONE = 'sm';

export function useIsPhone(): boolean {
  return useMatches({ base: true, [PHONE]: false }, { getInitialValueInEffect: false });
}
