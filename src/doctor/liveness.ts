// The doctor's report on liveness: the operator's choices, and what to check before relying on them.
import { openWays } from '../challenge/capturing/draw-script.ts';
import type { Config } from '../config/config.ts';
import { isMovement } from '../contract/script.ts';
import type { Finding } from './check.ts';

type Settings = Pick<Config, 'LIVENESS_LEVEL' | 'livenessPrompts' | 'LIVENESS_JUST_IN_TIME'>;

/** Reports what is asked of people, and warns about choices that bring obligations or doubts. */
export function checkLiveness(config: Settings): Finding {
  const { LIVENESS_LEVEL, livenessPrompts: prompts, LIVENESS_JUST_IN_TIME } = config;
  const detail = `${LIVENESS_LEVEL}: ${prompts.join(', ')}; prompts just in time: ${LIVENESS_JUST_IN_TIME}`;
  return prompts.some(isMovement) && openWays(prompts, 'one_kind').length === 0
    ? { status: 'warning', detail, mend: MEND_ONE_KIND }
    : { status: 'ok', detail };
}

const MEND_ONE_KIND =
  'list smile and target in LIVENESS_PROMPTS: with one kind of movement, people who cannot make it have no other way';
