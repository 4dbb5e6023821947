// A camera that answers prompts: a page script that replaces getUserMedia and plays the pictures of one person on a
// canvas, at rest, smiling or turning to the dot as the page asks, with a fresh crop, drift and sensor noise in every
// take. Pictures follow each other as they did in the footage: a cut or a fade would be detected, as an attacker's is
// (src/evaluation/liveness/seams.ts).
import type { BrowserContext } from 'playwright-core';
import { type CameraSubject, filmOf } from './camera-film.ts';
import type { CameraFilm } from './film.ts';

/**
 * How the person before the camera behaves. `follows` knows where a dot is; `follows the pointer` looks at the screen and
 * turns the head until the pointer meets the dot; `leans` and `shifts` move the whole head sideways instead of turning
 * it.
 */
export type Behaviour =
  | 'follows'
  | 'follows the pointer'
  | 'leans'
  | 'shifts'
  | 'never smiles'
  | 'never moves'
  | 'still photo';

/** How the camera sees the person. */
export interface CameraView {
  /** Whether the stream is mirrored. */
  readonly mirrored?: boolean;
  /** Tilt of the picture in degrees, clockwise. */
  readonly tiltDeg?: number;
}

/** What a person who follows the pointer did for one dot; in the page, as `window.aims`. Times of performance.now(). */
export interface Aimed {
  /** The dot's `data-at`. */
  readonly at: string;
  readonly shownMs: number;
  /** When the pointer first met the dot; null if it never did. */
  readonly metMs: number | null;
  /** Where the dot and the pointer were on the screen then, in degrees from the oval's middle, to the right and up. */
  readonly dot: readonly [number, number];
  readonly pointer: readonly [number, number] | null;
}

/** Default time from a prompt to the start of its answer. */
const REACTION_MS = 350;

interface CameraPlan extends CameraFilm {
  behaviour: Behaviour;
  reactionMs: number;
  view: CameraView;
}

/**
 * Makes every page of the context see the person through its camera.
 * @param reactionMs time from a prompt to the start of its answer
 */
export async function installCamera(
  context: BrowserContext,
  subject: CameraSubject,
  behaviour: Behaviour,
  reactionMs = REACTION_MS,
  view: CameraView = {},
): Promise<void> {
  await context.addInitScript({ content: await cameraSource(subject, behaviour, reactionMs, view) });
}

/** The same camera as a script, for a browser driven by other means; run it before the page asks for the camera. */
export async function cameraSource(
  subject: CameraSubject,
  behaviour: Behaviour,
  reactionMs = REACTION_MS,
  view: CameraView = {},
): Promise<string> {
  const plan: CameraPlan = { ...(await filmOf(subject)), behaviour, reactionMs, view };
  // The test runner's compiler wraps named functions in a helper that the page does not have.
  return `globalThis.__name ??= (target) => target; (${cameraScript})(${JSON.stringify(plan)});`;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Runs in the page before its own scripts. Self-contained: it is sent as text. */
function cameraScript(plan: CameraPlan): void {
  // Decoded when it is first shown: all at once would keep a slow machine from opening the camera.
  const decoded = new Map<number, Promise<ImageBitmap>>();
  const pictureAt = (picture: number) => {
    const known = decoded.get(picture);
    if (known) return known;
    const bytes = Uint8Array.from(atob(plan.jpegs[picture]!), (character) => character.charCodeAt(0));
    const bitmap = createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
    decoded.set(picture, bitmap);
    return bitmap;
  };
  let position = 0;
  let promptSeen = 'neutral';
  let promptSeenAt = 0;
  let wanted: string | null = null;
  let doing: string | null = null;

  const readPrompt = () => {
    const prompt = document.documentElement.dataset.prompt || 'neutral';
    const now = performance.now();
    if (prompt !== promptSeen) {
      promptSeen = prompt;
      promptSeenAt = now;
    }
    if (now - promptSeenAt <= plan.reactionMs) return;
    const unwilling = plan.behaviour === 'never moves' || plan.behaviour === `never ${promptSeen}s`;
    const able = (promptSeen in plan.moves || (promptSeen === 'target' && plan.looks)) && !unwilling;
    wanted = able ? promptSeen : null;
  };

  // Knows the screen alone: turns as before a mirror until the pointer meets the dot. Gropes until it first does, and
  // turns the other way where the pointer is seen to move off; then turns most of the way, and corrects once the pointer
  // has followed.
  const aims: Writable<Aimed>[] = [];
  Object.assign(globalThis, { aims });
  const eyes = {
    mark: '',
    pointer: '',
    side: 1,
    sure: false,
    nearest: 0,
    actedMs: 0,
    moves: 0,
    turn: { x: 0, y: 0 },
  };
  const followPointer = (at: string | undefined) => {
    if (!at) eyes.mark = '';
    if (!at || doing !== null) return eyes.turn;
    const nowMs = performance.now();
    if (at !== eyes.mark) {
      Object.assign(eyes, { mark: at, nearest: 90, moves: 2, turn: { x: 0, y: 0 } });
      aims.push({ at, shownMs: nowMs, metMs: null, dot: [0, 0], pointer: null });
    }
    const pointer = document.querySelector<HTMLElement>('.target__nose:not([hidden])');
    const where = `${pointer?.style.left} ${pointer?.style.top}`;
    if (!pointer || wanted !== 'target' || where === eyes.pointer) return eyes.turn;
    eyes.pointer = where;
    eyes.moves += 1;
    const oval = document.querySelector('.target')!.getBoundingClientRect();
    const degreePx = (0.46 / 19) * oval.width;
    const placeOf = (element: Element): [number, number] => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [
        (x + width / 2 - oval.x - oval.width / 2) / degreePx,
        (oval.y + oval.height / 2 - y - height / 2) / degreePx,
      ];
    };
    const mark = document.querySelector('.target__dot')!;
    const [to, from] = [placeOf(mark), placeOf(pointer)];
    const [right, up] = [to[0] - from[0], to[1] - from[1]];
    const aim = aims.at(-1)!;
    Object.assign(aim, { dot: to, pointer: from });
    if (Math.hypot(right, up) <= mark.getBoundingClientRect().width / 2 / degreePx) {
      aim.metMs ??= nowMs;
      // A dot above or below does not tell left from right.
      eyes.sure ||= Math.abs(to[0]) > 5;
    }
    if (Math.hypot(right, up) < 1.5) return eyes.turn;
    eyes.nearest = Math.min(eyes.nearest, Math.abs(right));
    if (!eyes.sure && Math.abs(right) > eyes.nearest + 3)
      Object.assign(eyes, { side: -eyes.side, sure: true, moves: 3, turn: { x: 0, y: 0 } });
    if (eyes.sure && (eyes.moves < 2 || nowMs - eyes.actedMs < 300)) return eyes.turn;
    Object.assign(eyes, { moves: 0, actedMs: nowMs });
    const part = eyes.sure ? 0.8 : 0.3;
    const turn = { x: eyes.turn.x - part * eyes.side * right, y: eyes.turn.y + part * up };
    const share = Math.min(1, 24 / Math.hypot(turn.x, turn.y));
    eyes.turn = { x: share * turn.x, y: share * turn.y };
    return eyes.turn;
  };

  // Turns the nose to the dot, one reaction time after the prompt, as smoothly as a head does, and sways while it is
  // held. `looking` is false once the head has come back.
  const head = { x: 0, y: 0 };
  let dot = { x: 0, y: 0 };
  const looking = (): boolean => {
    const at = document.querySelector<HTMLElement>('.target:not([hidden]) .target__dot')?.dataset.at;
    const [x = 0, y = 0] = at?.split(' ').map(Number) ?? [];
    // The dot is gone with its prompt, the head only a reaction time later.
    if (plan.behaviour === 'follows the pointer') dot = followPointer(at);
    else if (at) dot = { x, y };
    const turns = wanted === 'target' && plan.behaviour !== 'leans' && plan.behaviour !== 'shifts';
    const sway = turns ? Math.sin(performance.now() / 300) : 0;
    head.x += ((turns ? dot.x : 0) + sway - head.x) / 4;
    head.y += ((turns ? dot.y : 0) - head.y) / 4;
    return turns || Math.hypot(head.x, head.y) > 1.5;
  };
  const lookedAt = (looks: NonNullable<CameraPlan['looks']>): number => {
    const distance = ({ x, y }: { x: number; y: number }) => (x - head.x) ** 2 + (y - head.y) ** 2;
    return looks.reduce((best, look) => (distance(look) < distance(best) ? look : best)).picture;
  };

  // Goes one picture at a time along a movement and back. At rest and while holding, it walks at random, because a
  // living face never repeats itself.
  const walk = (first: number, last: number) => {
    position += Math.floor(Math.random() * 3) - 1;
    position = Math.min(Math.max(position, first), last);
  };
  const chooseFrame = () => {
    if (plan.behaviour === 'still photo') return 0;
    readPrompt();
    const ready = plan.rest.last;
    if (plan.looks && doing === null && looking()) {
      if (position >= ready) return lookedAt(plan.looks);
      position += 1;
      return position;
    }
    if (doing === null) {
      if (wanted === null || wanted === 'target') walk(plan.rest.first, ready);
      else if (position < ready) position += 1;
      else {
        doing = wanted;
        position = plan.moves[doing]!.first;
      }
      return position;
    }
    const { first, heldFrom, last } = plan.moves[doing]!;
    if (doing !== wanted) {
      position -= 1;
      if (position < first) {
        doing = null;
        position = ready;
      }
    } else if (position < heldFrom) position += 1;
    else walk(heldFrom, last);
    return position;
  };

  const startCamera = async () => {
    // Nobody still smiles or looks aside, as when the camera was closed, while they wait for it to open again.
    [position, promptSeen, wanted, doing] = [0, 'neutral', null, null];
    Object.assign(head, { x: 0, y: 0 });
    const canvas = document.createElement('canvas');
    canvas.width = 640;
    canvas.height = 480;
    const pen = canvas.getContext('2d', { willReadFrequently: true })!;
    const noise = document.createElement('canvas');
    noise.width = 320;
    noise.height = 240;
    const noisePen = noise.getContext('2d')!;
    const grain = noisePen.createImageData(320, 240);
    const take = {
      x: Math.random() * 24 - 12,
      y: Math.random() * 16 - 8,
      size: 470 + Math.random() * 40,
      phase: Math.random() * 6,
    };
    // Of a head that is moved as a whole, 0 to 1.
    let moved = 0;
    const pose = () => {
      moved += ((wanted === 'target' ? 1 : 0) - moved) / 8;
      pen.translate(320, 240);
      if (plan.view.mirrored) pen.scale(-1, 1);
      pen.rotate(((plan.view.tiltDeg ?? 0) * Math.PI) / 180);
      if (plan.behaviour === 'shifts') pen.translate(110 * moved, 0);
      if (plan.behaviour === 'leans') {
        // About the neck.
        pen.translate(0, 200);
        pen.rotate((18 * moved * Math.PI) / 180);
        pen.translate(0, -200);
      }
      pen.translate(-320, -240);
    };
    // A picture that is still being decoded is not overtaken by the next.
    let drawing = false;
    const draw = async () => {
      if (drawing) return;
      drawing = true;
      const bitmap = await pictureAt(chooseFrame());
      drawing = false;
      const t = performance.now() / 1000 + take.phase;
      const width = (take.size * plan.width) / 480;
      const x = 320 - width / 2 + take.x + 3 * Math.sin(t * 1.3) + 2 * Math.sin(t * 2.9);
      const y = 240 - take.size / 2 + take.y + 2 * Math.sin(t * 1.7);
      pen.fillStyle = '#5a6158';
      pen.fillRect(0, 0, 640, 480);
      pen.save();
      pose();
      pen.drawImage(bitmap, x, y, width, take.size);
      pen.restore();
      for (let i = 0; i < grain.data.length; i += 4) {
        const value = Math.random() * 255;
        grain.data[i] = grain.data[i + 1] = grain.data[i + 2] = value;
        grain.data[i + 3] = 10;
      }
      noisePen.putImageData(grain, 0, 0);
      pen.drawImage(noise, 0, 0, 640, 480);
    };
    await draw();
    const timer = setInterval(draw, 40);
    const stream = canvas.captureStream(25);
    const track = stream.getVideoTracks()[0]!;
    const stop = track.stop.bind(track);
    track.stop = () => {
      clearInterval(timer);
      stop();
    };
    return stream;
  };
  navigator.mediaDevices.getUserMedia = startCamera;
}
