// The variables of the configuration that say what a person is asked for.
import { Type } from 'typebox';
import { LIGHT_MODES } from './contract/screen-light.ts';
import { JUST_IN_TIME_MODES, PROMPT_NAMES, STEP_PROMPT_NAMES } from './contract/script.ts';

/** Part of the schema in config.ts. */
export const LIVENESS_VARIABLES = {
  LIVENESS_LEVEL: Type.Enum(['quick', 'standard', 'high'], {
    default: 'standard',
    description: 'How long a path is, or how many prompts a script without one has.',
  }),
  LIVENESS_PROMPTS: Type.String({
    pattern: `^(${STEP_PROMPT_NAMES.join('|')})(,(${STEP_PROMPT_NAMES.join('|')}))*$`,
    default: PROMPT_NAMES.join(','),
    description: `What scripts may ask for, by comma, of ${STEP_PROMPT_NAMES.join(', ')}. With path: a mark to follow with the head, and a smile if that is named; turns named beside it are for people who cannot follow a mark, who have no way without them.`,
  }),
  LIVENESS_LIGHT: Type.Enum([...LIGHT_MODES], {
    default: 'observe',
    description: `Light of the screen: the page's surround changes its hue by a random code while it records, and the skin is searched for it. observe: counts for nothing; require: a capture without it is sent back (read docs/liveness.md first).`,
  }),
  LIVENESS_JUST_IN_TIME: Type.Enum([...JUST_IN_TIME_MODES], {
    default: 'observe',
    description:
      'Prompts are handed out one by one, each when the answer to the one before was announced. observe: a page whose network is too slow for that gets all of them at once, and the capture says so; require: it gets none ahead, and a capture whose prompts were known ahead is sent back.',
  }),
};
