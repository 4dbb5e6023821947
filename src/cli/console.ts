// `likeness console`: prepares what the operator's console needs before it starts, and signs everyone out.
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import encodeQR from 'qr';
import { systemClock } from '../base/clock.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { readConfig } from '../config/read-config.ts';
import { hashPassword } from '../console/password.ts';
import { createConsoleSessionStore } from '../console/tables/session-store.ts';
import { newTotpSecret, secondsAhead, stepOfCode, totpAddress } from '../console/totp.ts';
import { OPERATOR } from '../keys/principal.ts';
import { writeAudit } from '../storage/postgres/audit.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { openidCommand } from './console-openid.ts';
import { EXIT } from './exit-codes.ts';

const MIN_PASSWORD_CHARS = 12;

/** The `console` command. */
export function consoleCommand(): Command {
  return new Command('console')
    .description(
      'the operator’s console: its password and second factor, sign-in by OpenID Connect, its sessions',
    )
    .addCommand(hashCommand())
    .addCommand(newSecretCommand())
    .addCommand(checkCodeCommand())
    .addCommand(openidCommand())
    .addCommand(signOutCommand());
}

function hashCommand(): Command {
  return new Command('hash-password')
    .description('read a password from standard input and print its hash for CONSOLE_PASSWORD')
    .action(async (_options: object, command: Command) => {
      const lines = createInterface({ input: process.stdin, terminal: false });
      let password = '';
      for await (const line of lines) {
        password = line;
        break;
      }
      lines.close();
      if (password.length < MIN_PASSWORD_CHARS) {
        command.error(`error: at least ${MIN_PASSWORD_CHARS} characters are required`);
      }
      process.stdout.write(`${await hashPassword(password)}\n`);
    });
}

function newSecretCommand(): Command {
  return new Command('new-totp-secret')
    .description(
      'make a second factor: a secret for CONSOLE_TOTP_SECRET, and its QR code for an authenticator',
    )
    .option('--name <name>', 'the name that the authenticator shows', 'Likeness')
    .option(...JSON_OPTION)
    .action(({ name, json }: { name: string; json?: boolean }) => {
      const secret = newTotpSecret();
      const address = totpAddress(secret, name);
      writeAnswer(json, { secret, address }, [
        encodeQR(address, 'ascii').trimEnd(),
        'Scan the code with an authenticator, or type the secret in (time-based, 6 digits, 30 seconds).',
        `secret   ${secret}`,
        `address  ${address}`,
        '',
        'It is shown once and stored nowhere. Set CONSOLE_TOTP_SECRET to the secret, then:',
        '  likeness console check-code CODE    with the code that the authenticator shows',
        '  restart every API process           earlier sessions end',
      ]);
    });
}

function checkCodeCommand(): Command {
  return new Command('check-code')
    .description('check a code against CONSOLE_TOTP_SECRET; it can still be used to sign in')
    .argument('<code>', 'the code that the authenticator shows')
    .option(...JSON_OPTION)
    .action((code: string, { json }: { json?: boolean }, command: Command) => {
      const secret = readConfig(process.env).CONSOLE_TOTP_SECRET;
      if (!secret) return command.error('error: CONSOLE_TOTP_SECRET is not set');
      const now = systemClock.now();
      const isRight = stepOfCode(secret, code, now) !== null;
      const ahead = secondsAhead(secret, code, now);
      writeAnswer(json, { right: isRight, seconds_ahead: ahead }, [sentenceOf(isRight, ahead)]);
      if (!isRight) process.exitCode = EXIT.fault;
    });
}

function sentenceOf(isRight: boolean, ahead: number | null): string {
  if (isRight) return 'The code is right.';
  if (ahead === null)
    return 'The code does not belong to this secret, or the clocks are more than ten minutes apart.';
  const clock = `${Math.abs(ahead)} s ${ahead < 0 ? 'behind' : 'ahead of'} this machine’s`;
  return `The code belongs to this secret, but the authenticator’s clock is ${clock}: synchronise both with network time.`;
}

function signOutCommand(): Command {
  return new Command('sign-out-everywhere').description('end every session of the console').action(() =>
    withFoundation(async ({ database: { db } }) => {
      await createConsoleSessionStore(db).removeAll();
      const action = 'console.logout_everywhere';
      await writeAudit(db, { actor: OPERATOR, action, accountId: null, subject: null });
      process.stdout.write('all console sessions have been ended\n');
    }),
  );
}
