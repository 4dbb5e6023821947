// JSON Pointers (RFC 6901) for field faults.

/** One step of a pointer: `/` and the escaped name. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
