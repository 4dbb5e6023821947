// How a login tells the capture page that another recording may follow the one that has just ended. The page of the first
// knows only where it leads: to the login, which decides.

const PARAMETER = 'next_recording';

/** An address of this service, marked so that the page that leads to it announces another recording. */
export function withNextRecording(url: string): string {
  const marked = new URL(url);
  marked.searchParams.set(PARAMETER, '');
  return marked.href;
}

/** Whether an exit address leads to another recording at this service, whose origin is given. */
export function leadsToRecording(url: string, origin: string): boolean {
  const to = new URL(url);
  return to.origin === origin && to.searchParams.has(PARAMETER);
}
