// What the camera screen asks for, shown above the oval: a picture and a sentence.
import type { Urgency } from './announcer.ts';
import { h, setText } from './dom.ts';
import { titleOf } from './parts.ts';
import type { ViewContext } from './view.ts';

export interface Cue {
  readonly root: HTMLElement;
  picture(drawn: Node, tone: 'plain' | 'good' | 'prompt'): void;
  /** Whether it shows this sentence now. */
  says(text: string): boolean;
  /** Shows a sentence and announces it, once per change. */
  say(text: string, urgency: Urgency): void;
  /** Shows a sentence that nobody needs to hear. */
  show(text: string): void;
  /** Shows a prompt; the caller announces it. */
  prompt(drawn: Node, text: string): void;
}

/** The cue of a camera screen, with its title. */
export function createCue(context: Pick<ViewContext, 'texts' | 'announce'>): Cue {
  const frame = h('div', { class: 'cue__picture' });
  const title = titleOf(context.texts.stage.title);
  const picture: Cue['picture'] = (drawn, tone) => {
    frame.replaceChildren(drawn);
    frame.dataset.tone = tone;
  };
  const says = (text: string) => title.textContent === text;
  const show = (text: string) => setText(title, text);
  return {
    root: h('div', { class: 'cue' }, frame, title),
    picture,
    says,
    show,
    say: (text, urgency) => {
      if (says(text)) return;
      show(text);
      context.announce(text, urgency);
    },
    prompt: (drawn, text) => {
      picture(drawn, 'prompt');
      show(text);
    },
  };
}
