// One text for bodies that say the same: what fingerprints of requests are made of.

/** No schema of ours is half as deep; what lies below counts as the same, so that no nesting exhausts the stack. */
const MAX_DEPTH = 32;

/** JSON with the keys of every object sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value, 0));
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item, depth + 1)]));
}
