// Says at the start what `likeness doctor` would say at length: a decoder of strangers' files reaches more than it needs.
import type { Logger } from '../base/log.ts';
import { findConfinement } from '../confined/confinement.ts';
import type { Program } from '../confined/program.ts';

/** Finds out how `program`, the decoder of `what`, is confined here; warns where it could reach network or files. */
export async function warnOfReach(program: Program, what: 'videos' | 'pictures', log: Logger): Promise<void> {
  const { by } = await findConfinement(program);
  if (by === 'limits' || by === 'setpriv')
    log.warn({ by }, `the decoder of ${what} can reach more than it needs: see \`likeness doctor\``);
}
