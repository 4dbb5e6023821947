// The configuration variables that control what a person is asked to do.
import { Type } from 'typebox';
import { JUST_IN_TIME_MODES, PROMPT_NAMES } from '../contract/script.ts';

/** Part of the schema in config.ts. */
export const LIVENESS_VARIABLES = {
  LIVENESS_LEVEL: Type.Enum(['quick', 'standard', 'high'], {
    default: 'standard',
    description:
      'Number of prompts in a script: quick, one target and a smile; standard, two and one; high, four and two.',
  }),
  LIVENESS_PROMPTS: Type.String({
    pattern: `^(${PROMPT_NAMES.join('|')})(,(${PROMPT_NAMES.join('|')}))*$`,
    default: PROMPT_NAMES.join(','),
    description: `Prompts that scripts may contain, separated by commas, of ${PROMPT_NAMES.join(', ')}. target: a dot to which the nose is turned. With one movement alone, people who cannot make it have no other way.`,
  }),
  LIVENESS_JUST_IN_TIME: Type.Enum([...JUST_IN_TIME_MODES], {
    default: 'observe',
    description:
      'Prompts are revealed one by one, each when the answer to the one before was announced. observe: a page whose network is too slow for that gets all of them at once, and the capture says so; require: none is revealed ahead of time, and a capture whose prompts were known ahead is sent back.',
  }),
};
