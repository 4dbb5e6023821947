// The configuration variables that control what a person is asked to do.
import { Type } from 'typebox';
import { JUST_IN_TIME_MODES, PROMPT_NAMES, STEP_PROMPT_NAMES } from '../contract/script.ts';

/** Part of the schema in config.ts. */
export const LIVENESS_VARIABLES = {
  LIVENESS_LEVEL: Type.Enum(['quick', 'standard', 'high'], {
    default: 'standard',
    description: 'Length of a path, or number of prompts in a script without a path.',
  }),
  LIVENESS_PROMPTS: Type.String({
    pattern: `^(${STEP_PROMPT_NAMES.join('|')})(,(${STEP_PROMPT_NAMES.join('|')}))*$`,
    default: PROMPT_NAMES.join(','),
    description: `Prompts that scripts may contain, separated by commas, of ${STEP_PROMPT_NAMES.join(', ')}. With path: a mark to follow with the head, and a smile if that is listed; turns listed beside it are the alternative for people who cannot follow a mark. Without turns they have none.`,
  }),
  LIVENESS_JUST_IN_TIME: Type.Enum([...JUST_IN_TIME_MODES], {
    default: 'observe',
    description:
      'Prompts are revealed one by one, each when the answer to the one before was announced. observe: a page whose network is too slow for that gets all of them at once, and the capture says so; require: none is revealed ahead of time, and a capture whose prompts were known ahead is sent back.',
  }),
};
