// The doctor's report on liveness: the operator's choices, and what to check before relying on them.
import { hasAccessibleWay } from '../../challenge/draw-script.ts';
import type { Config } from '../../config/config.ts';
import { PATH } from '../../contract/path.ts';
import type { Finding } from './check.ts';

type Settings = Pick<
  Config,
  'LIVENESS_LEVEL' | 'livenessPrompts' | 'LIVENESS_LIGHT' | 'LIVENESS_JUST_IN_TIME'
>;

/** Reports what is asked of people, and warns about choices that bring obligations or doubts. */
export function checkLiveness(config: Settings): Finding {
  const { LIVENESS_LEVEL, livenessPrompts: prompts, LIVENESS_LIGHT, LIVENESS_JUST_IN_TIME } = config;
  const detail =
    `${LIVENESS_LEVEL}: ${prompts.join(', ')}; light of the screen: ${LIGHT[LIVENESS_LIGHT]}; ` +
    `prompts just in time: ${LIVENESS_JUST_IN_TIME}`;
  const mends = [
    ...(LIVENESS_LIGHT === 'require' ? [MEND_LIGHT] : []),
    ...(prompts.includes(PATH) && !hasAccessibleWay(prompts) ? [MEND_PATH] : []),
  ];
  return mends.length === 0
    ? { status: 'ok', detail }
    : { status: 'warning', detail, mend: mends.join('; ') };
}

const LIGHT: Readonly<Record<Config['LIVENESS_LIGHT'], string>> = {
  off: 'off',
  observe: 'observed, has no effect',
  require: 'required, a capture without it is sent back',
};

const MEND_LIGHT =
  'look at likeness bench light, check patents on coloured light, and offer another way to people for whom it does not work (docs/liveness.md)';
const MEND_PATH =
  'list turn_left and turn_right in LIVENESS_PROMPTS too: without them, people who cannot follow a path have no alternative';
