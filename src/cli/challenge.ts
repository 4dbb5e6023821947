// `likeness challenge`: creates a challenge from the shell on a running service and shows its link as a QR code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import encodeQR from 'qr';
import { Fault } from '../base/errors.ts';
import { Likeness, LikenessProblem, LikenessUnreachable } from '../client/index.ts';
import { DEV_CREDENTIALS_FILE, type DevCredentials } from '../composition/development/credentials.ts';
import { readConfig } from '../config/read-config.ts';
import {
  type CreateChallengeRequest,
  DEFAULT_EXPIRES_IN_SECONDS,
  MAX_EXPIRES_IN_SECONDS,
  type NotificationConfiguration,
} from '../contract/challenge-request.ts';
import { DEVICE_BINDINGS, type DeviceBinding } from '../contract/device.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { deviceText } from './device-text.ts';

interface ConnectionOptions {
  url?: string;
  key?: string;
  sandbox?: boolean;
  json?: boolean;
}

interface CreateOptions extends ConnectionOptions {
  compare?: string[];
  reference?: string;
  expiresIn?: number;
  deviceBinding?: DeviceBinding;
  allowNewDevice?: true;
  redirect?: string;
  webhook?: string;
  consent: boolean;
}

/** The `challenge` command. */
export function challengeCommand(): Command {
  return new Command('challenge')
    .description('create and read challenges of a running service')
    .addCommand(createCommand())
    .addCommand(showCommand());
}

function createCommand(): Command {
  return withConnection(new Command('create'))
    .description('create a challenge and print its link as a QR code')
    .option('--compare <featid...>', 'FeatureIDs to compare with (default: liveness only)')
    .option('--reference <text>', 'your own value, echoed in the result')
    .option(
      '--expires-in <seconds>',
      `how long the link is valid (default: ${DEFAULT_EXPIRES_IN_SECONDS})`,
      wholeNumber(1, MAX_EXPIRES_IN_SECONDS),
    )
    .addOption(
      new Option(
        '--device-binding <how>',
        'whether the device of the person signs the recording (default: off)',
      ).choices(DEVICE_BINDINGS),
    )
    .option('--allow-new-device', 'let a face that matches add the passkey of a new device')
    .option('--redirect <url>', 'where to send the person at the end')
    .option('--webhook <url>', 'endpoint to notify when the challenge completes or expires')
    .option('--no-consent', 'hide the privacy screen')
    .action(async (options: CreateOptions) => {
      const created = await answerOf(connect(options).createChallenge(requestOf(options)));
      writeAnswer(options.json, created, [
        encodeQR(created.challenge_url, 'ascii').trimEnd(),
        created.challenge_url,
        `challenge  ${created.challenge_id}`,
        `expires    ${created.expires_at}`,
      ]);
    });
}

function showCommand(): Command {
  return withConnection(new Command('show'))
    .description('read a challenge with its result')
    .argument('<id>', 'challenge_id')
    .action(async (id: string, options: ConnectionOptions) => {
      const result = await answerOf(connect(options).getChallenge(id));
      const { liveness_result: liveness } = result;
      writeAnswer(options.json, result, [
        `status     ${result.status}`,
        `result     ${result.overall_result ?? '–'}${result.sandbox ? ' (sandbox: nobody was checked)' : ''}`,
        ...(liveness
          ? [`liveness   face ${liveness.face}, smile ${liveness.smile}, no spoof ${liveness.spoof_result}`]
          : []),
        ...(result.diagnostics.reasons.length > 0
          ? [`reasons    ${result.diagnostics.reasons.join(', ')}`]
          : []),
        ...(result.device_result ? [`device     ${deviceText(result.device_result)}`] : []),
        ...(liveness?.liveness_featid ? [`FeatureID  ${liveness.liveness_featid}`] : []),
        ...comparisonLines(result.match_result),
        ...result.events.map(({ name, timestamp }) => `${timestamp}  ${name}`),
      ]);
    });
}

function comparisonLines(match: Awaited<ReturnType<Likeness['getChallenge']>>['match_result']): string[] {
  if (!match || !('compared_to_featids' in match)) return [];
  return match.compared_to_featids.map(
    ({ featid, score, result }) => `compared   ${result} ${score} ${featid}`,
  );
}

function requestOf(options: CreateOptions): CreateChallengeRequest {
  const endpoints: NotificationConfiguration[] = options.webhook
    ? [
        {
          type: options.webhook.startsWith('https:') ? 'https' : 'http',
          properties: { endpoint_url: options.webhook },
        },
      ]
    : [];
  return {
    liveness_only: !options.compare,
    require_consent: options.consent,
    ...(options.compare ? { compare_to_featids: options.compare } : {}),
    ...(options.reference ? { customer_reference: options.reference } : {}),
    ...(options.expiresIn ? { expires_in_seconds: options.expiresIn } : {}),
    ...(options.deviceBinding ? { device_binding: options.deviceBinding } : {}),
    ...(options.allowNewDevice ? { allow_new_device: true } : {}),
    ...(options.redirect ? { flow_behaviour: { exit_redirect_url: options.redirect } } : {}),
    ...(options.webhook ? { notifications: { complete: endpoints, expired: endpoints } } : {}),
  };
}

function withConnection(command: Command): Command {
  return command
    .option('--url <url>', 'base address of the service (default: LIKENESS_URL, or that of development mode)')
    .option('--key <key>', 'API key (default: LIKENESS_API_KEY, or that of development mode)')
    .option('--sandbox', 'with the sandbox key of development mode: no camera is needed')
    .option(...JSON_OPTION);
}

/** @throws Fault CONFIG_INVALID if neither the options nor the environment nor the data folder name a service */
function connect(options: ConnectionOptions): Likeness {
  const url = options.url ?? process.env.LIKENESS_URL;
  const key = options.key ?? (options.sandbox ? undefined : process.env.LIKENESS_API_KEY);
  if (url && key) return new Likeness({ baseUrl: url, apiKey: key });
  const own = readDevCredentials();
  return new Likeness({
    baseUrl: url ?? own.base_url,
    apiKey: key ?? (options.sandbox ? own.sandbox_api_key : own.api_key),
  });
}

function readDevCredentials(): DevCredentials {
  const file = join(readConfig(process.env).dataDir, DEV_CREDENTIALS_FILE);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DevCredentials;
  } catch (cause) {
    throw new Fault('CONFIG_INVALID', `no keys in ${file}: start the service, or give --url and --key`, {
      cause,
    });
  }
}

/** Turns the service's refusal into the command's own error; its wording is already meant for people. */
async function answerOf<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof LikenessProblem) throw new Fault('SERVICE_REFUSED', cause.message, { cause });
    if (cause instanceof LikenessUnreachable)
      throw new Fault('SERVICE_UNREACHABLE', cause.message, { cause });
    throw cause;
  }
}
