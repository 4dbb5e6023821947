// A presentation by a program that speaks the capture API directly and learns each step only by announcing what was
// recorded before it, as a service with LIVENESS_JUST_IN_TIME=require demands. It chooses what to play once it knows
// what is asked.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DrawnStep } from '../../src/contract/script.ts';
import { TestApi } from '../../test/support/api.ts';
import type { PageClient } from '../../test/support/page-client.ts';
import { type AnswerScript, type Ended, inScratch, MIME_TYPE, openLinks } from './client.ts';
import type { InTimeAttack, Playing, Service, Stage } from './laboratory.ts';

/** Settings of the service: a prompt that was known in advance sends the capture back. */
export const REQUIRED = { LIVENESS_JUST_IN_TIME: 'require' };
/** The first byte of every WebM file, known before anything is recorded. */
const BEGINS = Buffer.from([0x1a]);

/** Presents to one challenge, with three tries at most. @throws FilmedTooLate */
export async function presentInTime(
  service: Service,
  stage: Stage,
  attack: InTimeAttack,
  take: number,
  seed: string,
): Promise<Ended> {
  await attack.prepare?.(stage, take);
  const startedAtMs = performance.now();
  const api = new TestApi(service);
  return openLinks(api, answerInTime(stage, attack), { take, seed, links: attack.links ?? 1, startedAtMs });
}

type Answered = Awaited<ReturnType<PageClient['call']>>;

/** What has been announced of one recording. */
interface Recorded {
  readonly path: string;
  slices: number;
  sizeBytes: number;
  known: readonly DrawnStep[];
}

function answerInTime(stage: Stage, attack: InTimeAttack): AnswerScript {
  return async (page, asked) => {
    const issued = await page.call('POST', '/captures', {});
    const issuedAtMs = performance.now();
    if (issued.status === 409) return 'none';
    if (issued.status !== 201) throw new Error(`${issued.status} ${JSON.stringify(issued.body)}`);
    const { capture_id: id, script, step_count: count, slice_ms: sliceMs } = issued.body;
    const recorded: Recorded = { path: `/captures/${id}`, slices: 0, sizeBytes: 0, known: script.steps };
    // As early as the service accepts it: the attacker wants two known steps to choose by.
    await delay(2);
    const first = await announce(page, recorded, BEGINS, 1, Math.min(2, count));
    if (first.status !== 200) return { sent: first, filmedMs: 0 };
    const played = await inScratch((scratch) =>
      attack.play(stage, { ...asked, script: { ...script, steps: recorded.known }, before: null, scratch }),
    );
    if (!played) return 'left';
    const filmedMs = Math.round(performance.now() - issuedAtMs);
    const sent = await send(page, played, recorded, { issuedAtMs, sliceMs, count });
    if (sent.status !== 200) return { sent, filmedMs };
    const committed = await page.call('POST', `${recorded.path}/commit`, {
      slices: recorded.slices,
      size_bytes: recorded.sizeBytes,
      mime_type: MIME_TYPE,
      duration_ms: 6000,
      script: played.performed({ ...script, steps: recorded.known }),
    });
    return { sent: committed, filmedMs };
  };
}

/** Sends each slice when it has been played. Returns the first refusal, or the last answer. */
async function send(
  page: PageClient,
  playing: Playing,
  recorded: Recorded,
  { issuedAtMs, sliceMs, count }: { issuedAtMs: number; sliceMs: number; count: number },
): Promise<Answered> {
  for (let untilMs = sliceMs; ; untilMs += sliceMs) {
    await delay(Math.max(0, issuedAtMs + untilMs - performance.now()));
    const bytes = playing.next(untilMs, recorded.known);
    // Steps it never asked for remain only when nothing more is played.
    if (bytes === null && recorded.known.length === count) return { status: 200, body: {} };
    const wanted = bytes === null ? count : Math.min(count, playing.wanted(untilMs));
    // The first byte was announced before.
    const news = recorded.slices === 1 ? bytes?.subarray(BEGINS.length) : bytes;
    const said = news && news.length > 0 ? news : VOID;
    const answer = await announce(page, recorded, said, untilMs, wanted);
    if (answer.status !== 200) return answer;
  }
}

/** An empty element: a slice for a moment without a frame. */
const VOID = Buffer.from([0xec, 0x80]);

async function announce(
  page: PageClient,
  recorded: Recorded,
  bytes: Buffer,
  toMs: number,
  steps: number,
): Promise<Answered> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const slice = { index: recorded.slices, sha256, size_bytes: bytes.length, to_ms: toMs };
  // The first step comes with the capture.
  const asking = { slices: [slice], ...(steps > 1 && { steps }) };
  const announced = await page.call('POST', `${recorded.path}/slices`, asking);
  if (announced.status !== 200) return announced;
  recorded.known = announced.body.steps ?? recorded.known;
  const sent = await page.call('POST', `${recorded.path}/bytes?offset=${recorded.sizeBytes}`, bytes);
  recorded.slices += 1;
  recorded.sizeBytes += bytes.length;
  return sent;
}
