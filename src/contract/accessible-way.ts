// What a person who cannot turn the head or smile may leave out, and what a client allows.

/** What a script leaves out for one person. `passive`: every movement. */
export const ACCESSIBLE_WAYS = ['without_turns', 'without_smile', 'passive'] as const;
export type AccessibleWay = (typeof ACCESSIBLE_WAYS)[number];

/**
 * `flow_behaviour.accessible_way`. `one_kind`: either turns or the smile may be left out, never both; `passive`: both
 * may.
 */
export const ACCESSIBLE_WAY_POLICIES = ['none', 'one_kind', 'passive'] as const;
export type AccessibleWayPolicy = (typeof ACCESSIBLE_WAY_POLICIES)[number];
