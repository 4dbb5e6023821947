// Bytes that are thrown away. They show whether something on the way refuses recordings before a script is drawn, so that
// finding out costs no try.
import type { Calls } from '../api/calls.ts';
import { SMALLEST_CHUNK } from './upload.ts';

/**
 * Whether the network refuses what every recording is sent as. Only bytes that would be refused in any size say so: where
 * merely large chunks are, the upload finds smaller ones within 0.1 s, and a recording goes on.
 * @param signal ends the probe; nothing was refused then
 */
export async function isNetworkBlocked(calls: Pick<Calls, 'tryWay'>, signal: AbortSignal): Promise<boolean> {
  const bytes = new Blob([crypto.getRandomValues(new Uint8Array(SMALLEST_CHUNK))]);
  const isRefused = async () => {
    const answer = await calls.tryWay(bytes, signal);
    return !answer.ok && answer.fault === 'blocked';
  };
  // One refusal may be an accident.
  return (await isRefused()) && (await isRefused());
}
