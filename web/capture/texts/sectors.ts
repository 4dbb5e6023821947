// The eighths of a circle by which words say where a target stands.

/** Counter-clockwise from the person's own left, 45° each. */
export const SECTORS = [
  'left',
  'up_left',
  'up',
  'up_right',
  'right',
  'down_right',
  'down',
  'down_left',
] as const;
export type Sector = (typeof SECTORS)[number];
