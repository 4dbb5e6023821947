// `likeness console`: what the operator's console needs before it starts.
import { createInterface } from 'node:readline/promises';
import { Command } from 'commander';
import { hashPassword } from '../console/password.ts';

const MIN_PASSWORD_CHARS = 12;

/** The `console` command. */
export function consoleCommand(): Command {
  return new Command('console').description('the operator’s console at /console').addCommand(hashCommand());
}

function hashCommand(): Command {
  return new Command('hash-password')
    .description('read a password from standard input; print what CONSOLE_PASSWORD may hold in its place')
    .action(async (_options: object, command: Command) => {
      const lines = createInterface({ input: process.stdin, terminal: false });
      let password = '';
      for await (const line of lines) {
        password = line;
        break;
      }
      lines.close();
      if (password.length < MIN_PASSWORD_CHARS) {
        command.error(`error: at least ${MIN_PASSWORD_CHARS} characters are needed`);
      }
      process.stdout.write(`${await hashPassword(password)}\n`);
    });
}
