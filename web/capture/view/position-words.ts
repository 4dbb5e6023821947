// What the camera screen says until the recording: the hints, the countdown, and to hold still, which is asked once.
import type { Screen } from '../flow/screens.ts';
import type { Cue } from './cue.ts';
import type { ViewContext } from './view.ts';

type Position = Extract<Screen, { name: 'position' }>;

export interface PositionWords {
  position(screen: Pick<Position, 'hint' | 'countdown' | 'cameras'>): void;
  preparing(): void;
}

/** The words of one camera screen, shown by its cue. */
export function createPositionWords(
  { texts, announce }: Pick<ViewContext, 'texts' | 'announce'>,
  cue: Pick<Cue, 'says' | 'say' | 'show'>,
): PositionWords {
  const words = texts.stage;
  // By the last hint, which said so. A countdown after it takes nothing back.
  let holds = false;
  return {
    position: ({ hint, countdown, cameras }) => {
      if (countdown !== null) return cue.say(words.countdown({ seconds: countdown }), 'assertive');
      holds = hint === 'ok';
      if (hint === 'no_colour' && cameras.length > 0) cue.say(words.otherCamera, 'passing');
      else cue.say(hint === null || hint === 'place' ? words.title : words.hints[hint], 'passing');
    },
    preparing: () => {
      if (!holds) return cue.say(words.preparing, 'assertive');
      if (!cue.says(words.hints.ok)) cue.show(words.loadingHints);
      announce(words.hints.ok, 'due');
    },
  };
}
