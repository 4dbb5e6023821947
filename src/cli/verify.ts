// `likeness verify`: checks a receipt against its video offline: the signature, the hash and a repeated judgement.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { canonicalJson } from '../base/canonical-json.ts';
import { VERSION } from '../config/version.ts';
import type { Receipt, ReceiptValues } from '../contract/receipt.ts';
import { describeEngine, differences } from '../evaluation/engine.ts';
import { judge } from '../evaluation/judge.ts';
import { contextOf, judgedValues } from '../evaluation/judged-values.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import type { Models } from '../models/load.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { deviceText } from './device-text.ts';
import { EXIT } from './exit-codes.ts';
import { withModels } from './judging.ts';
import { readKeys } from './key-set.ts';
import { MAX_RECEIPT_BYTES, receiptOpener } from './open-receipt.ts';
import type { OpenedSigned } from './open-signed.ts';
import { orUsage, UsageError } from './usage-error.ts';

interface VerifyOptions {
  readonly video: string;
  readonly jwks: string;
  readonly json?: boolean;
}

/** Why a receipt is refused. The keys are stable codes for `verdict`. */
const REFUSALS = {
  altered: 'the receipt was altered, or is not a receipt: its signature does not match its contents',
  unknown_key: 'the receipt was not signed by any of these keys',
  other_form: 'the receipt has a format that this version cannot read',
  other_video: 'the receipt is for another video',
} as const;

/** The `verify` command; exit code 3 if another version or other networks judged, 4 if the receipt does not hold. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description('judge a video again and compare every value with the receipt of its result')
    .argument('<receipt>', 'the response of GET /v1/challenges/{id}/receipt')
    .requiredOption('--video <file>', 'the video of the challenge')
    .requiredOption('--jwks <file-or-url>', 'public keys: a file, or https://…/.well-known/jwks.json')
    .option(...JSON_OPTION)
    .action((receipt: string, options: VerifyOptions) => orUsage(() => verify(receipt, options)));
}

async function verify(path: string, { video: videoPath, jwks, json }: VerifyOptions): Promise<void> {
  const opened = await receiptOpener(await readKeys(jwks))(await readReceipt(path));
  const video = await readVideo(videoPath);
  const refusal = refusalOf(opened, video);
  if (refusal || opened.status === 'refused') {
    writeAnswer(json, { verdict: refusal }, [`refused: ${REFUSALS[refusal!]}`]);
    process.exitCode = EXIT.refused;
    return;
  }
  const { payload: receipt } = opened;
  await withModels(
    async () => {},
    (models) => judgeAgain(receipt, video, models, json),
  );
}

function refusalOf(opened: OpenedSigned<Receipt>, video: Uint8Array): keyof typeof REFUSALS | null {
  if (opened.status === 'refused') return opened.because;
  const { sha256, size_bytes } = opened.payload.video;
  const same = video.length === size_bytes && createHash('sha256').update(video).digest('hex') === sha256;
  return same ? null : 'other_video';
}

async function judgeAgain(
  receipt: Receipt,
  video: Uint8Array,
  models: Models,
  json: boolean | undefined,
): Promise<number> {
  const settings = { ...DEFAULT_SETTINGS, targetFmr: receipt.engine.target_fmr };
  const here = await describeEngine(models, settings, VERSION);
  const others = differences(receipt.engine, here);
  if (others.length > 0) {
    writeAnswer(json, { verdict: 'other_engine', differences: others }, [
      'not judged again: the signature and the video are right, but what judges here differs from what judged then:',
      ...others.map((line) => `  ${line}`),
    ]);
    return EXIT.notJudged;
  }
  process.stderr.write('likeness: judging the video again\n');
  const values = judgedValues(await judge({ video, settings, ...contextOf(receipt.inputs) }, models));
  const changed = changedValues(receipt.values, values);
  if (changed.length > 0) {
    const runtimes = { made: receipt.engine.runtime, here: here.runtime };
    writeAnswer(json, { verdict: 'other_values', changed, runtimes }, [
      'refused: judging the video again gives other values:',
      ...changed.map((line) => `  ${line}`),
      `judged then by ${JSON.stringify(runtimes.made)}`,
      `judged here by ${JSON.stringify(runtimes.here)}`,
    ]);
    return EXIT.refused;
  }
  writeAnswer(json, { verdict: 'verified', receipt }, [
    `verified: ${values.cues.length} checks of the video give the same values`,
    ...summaryOf(receipt),
  ]);
  return EXIT.done;
}

/** Names of the values that differ. They are compared as JSON, because JSON was signed. */
function changedValues(then: ReceiptValues, now: ReceiptValues): string[] {
  const text = (value: unknown) => canonicalJson(value ?? null);
  const { cues: cuesThen, ...restThen } = then;
  const { cues: cuesNow, ...restNow } = now;
  const names = [...new Set([...cuesThen, ...cuesNow].map(({ cue }) => cue))];
  const cueOf = (cues: ReceiptValues['cues'], name: string) => text(cues.find(({ cue }) => cue === name));
  const rows = [
    ...names.map((name) => [name, cueOf(cuesThen, name), cueOf(cuesNow, name)] as const),
    ...(Object.keys(restNow) as (keyof typeof restNow)[]).map(
      (name) => [name, text(restThen[name]), text(restNow[name])] as const,
    ),
  ];
  const changed = rows.flatMap(([name, one, other]) =>
    one === other ? [] : [`${name}: ${one} then, ${other} now`],
  );
  // The checks are the same, but in another order or with one of them twice.
  return changed.length === 0 && text(cuesThen) !== text(cuesNow) ? ['the list of checks'] : changed;
}

function summaryOf(receipt: Receipt): string[] {
  const { iss, iat, challenge_id, overall_result, values, compared, device_result } = receipt;
  const { liveness } = values;
  return alignColumns([
    ['what', 'the receipt says'],
    ['issued by', `${iss}, ${new Date(iat * 1000).toISOString()}`],
    ['challenge', challenge_id],
    ['overall_result', overall_result],
    ...Object.entries(liveness).map(([name, passed]) => [name, passed ? 'pass' : 'fail']),
    ...(compared ?? []).map(({ result, score, featid_sha256 }) => [
      'compared',
      `${result}, score ${score}, FeatureID ${featid_sha256.slice(0, 12)}… (not judged again)`,
    ]),
    ...(device_result ? [['device', `${deviceText(device_result)} (not verified again)`]] : []),
  ]);
}

/** Reads a receipt without surrounding white space, which editors and shells add. */
async function readReceipt(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_RECEIPT_BYTES) throw new UsageError(`${path} is too large for a receipt`);
  return (await readFile(path, 'utf8')).trim();
}

async function readVideo(path: string): Promise<Buffer> {
  const found = await stat(path);
  if (!found.isFile()) throw new UsageError(`${path} is not a regular file`);
  if (found.size > DEFAULT_SETTINGS.video.maxBytes) throw new UsageError(`${path} is larger than any video`);
  return readFile(path);
}
