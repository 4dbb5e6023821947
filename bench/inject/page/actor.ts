// The actor in front of the attacker's camera in the real page: chooses which frame is shown at each moment. Runs
// before the page's own scripts and is sent there as text, so it must be self-contained.
import type { Looker } from './looker.ts';
import type { PagePlan } from './plan.ts';

/** Supplies one frame after another. */
export interface Actor {
  /** Advances by one frame. `seam`: frames that still have to be covered; 0 outside a seam. */
  next(): { position: number; isAtRest: boolean; seam: number };
}

/** Puts the actor into `globalThis.__actor`. */
export function actorScript(plan: PagePlan): void {
  let promptSeen = '';
  let promptSeenAt = 0;
  let answering = '';
  let doing: string | null = null;
  let position = 0;
  let seam = 0;
  let startedAt = 0;
  let isLooking = false;
  const looker = (globalThis as unknown as { __looker: Looker }).__looker;

  /** Reads the prompt on the screen, delayed by the reaction time; until then the previous one applies. */
  const readPrompt = () => {
    const prompt = document.documentElement.dataset.prompt ?? '';
    const now = performance.now();
    if (prompt !== promptSeen) [promptSeen, promptSeenAt] = [prompt, now];
    if (now - promptSeenAt >= (plan.reactionMs ?? 0)) answering = prompt;
  };
  const wander = (first: number, last: number) => {
    position = Math.min(Math.max(position + Math.floor(Math.random() * 3) - 1, first), last);
  };
  /** Turns to the dot; false if none is asked for. */
  const turnToDot = (back: number): boolean => {
    const looked = looker.next(answering === 'target');
    if (plan.jumps && (looked !== null) !== isLooking) seam = plan.jumps.frames;
    if (looked !== null) position = position < back && !plan.jumps ? position + 1 : looked;
    else if (isLooking) position = back;
    isLooking = looked !== null;
    return isLooking;
  };
  /** Advances frame by frame; where pieces are joined, jumps to the first frame of the wanted piece. */
  const playFilm = ({ rest, moves }: NonNullable<PagePlan['film']>) => {
    readPrompt();
    if (doing === null && turnToDot(rest.last)) return;
    const wanted = answering in moves ? answering : null;
    const move = doing === null ? null : moves[doing]!;
    if (doing !== wanted && plan.jumps) {
      [doing, position] = [wanted, wanted ? moves[wanted]!.first : rest.first];
      seam = plan.jumps.frames;
    } else if (!move) {
      if (wanted === null) wander(rest.first, rest.last);
      else if (position < rest.last) position += 1;
      else [doing, position] = [wanted, moves[wanted]!.first];
    } else if (doing !== wanted) {
      position -= 1;
      if (position < move.first) [doing, position] = [null, rest.last];
    } else if (position < move.heldFrom) position += 1;
    else wander(move.heldFrom, move.last);
  };
  /** Plays the first frames of a video back and forth until a prompt is shown, then all of them at their times. */
  const playVideo = ({ jpegs, fps }: NonNullable<PagePlan['video']>) => {
    const now = performance.now();
    if (!document.documentElement.dataset.prompt) {
      startedAt = now;
      wander(0, Math.min(6, jpegs.length - 1));
    } else position = Math.min(Math.round(((now - startedAt) / 1000) * fps), jpegs.length - 1);
  };

  const next = () => {
    if (seam > 0) seam -= 1;
    if (plan.video) playVideo(plan.video);
    else playFilm(plan.film!);
    return { position, isAtRest: doing === null, seam };
  };
  Object.assign(globalThis, { __actor: { next } satisfies Actor });
}
