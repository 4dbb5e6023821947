// The command line: one file per command, put together here. Errors end with a sentence and an exit code, no stack.
import { Command } from 'commander';
import { Fault } from '../base/errors.ts';
import { isOutOfReach } from '../base/out-of-reach.ts';
import { accountsCommand } from './accounts.ts';
import { benchCommand } from './bench.ts';
import { challengeCommand } from './challenge.ts';
import { compareCommand } from './compare.ts';
import { completionCommand } from './completion.ts';
import { consoleCommand } from './console.ts';
import { deliveriesCommand } from './deliveries.ts';
import { doctorCommand } from './doctor.ts';
import { evaluateCommand } from './evaluate.ts';
import { featidsCommand } from './featids.ts';
import { keysCommand } from './keys.ts';
import { modelsCommand } from './models.ts';
import { openFeatidFromDatabase } from './open-featid.ts';
import { purgeCommand } from './purge.ts';
import { serveCommand } from './serve.ts';

/** Runs one command line (without `node` and the program's name). */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('likeness')
    .description('Self-hosted biometric authentication challenges')
    .addCommand(serveCommand())
    .addCommand(doctorCommand())
    .addCommand(challengeCommand())
    .addCommand(accountsCommand())
    .addCommand(keysCommand())
    .addCommand(featidsCommand())
    .addCommand(deliveriesCommand())
    .addCommand(evaluateCommand(openFeatidFromDatabase))
    .addCommand(compareCommand(openFeatidFromDatabase))
    .addCommand(benchCommand())
    .addCommand(purgeCommand())
    .addCommand(modelsCommand())
    .addCommand(consoleCommand())
    .addCommand(completionCommand());
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    const fault = asFault(error);
    if (!fault) throw error;
    process.stderr.write(`likeness: ${fault.message} [${fault.code}]\n`);
    process.exitCode = 1;
  }
}

/** A bug is none: it ends with its stack. */
function asFault(error: unknown): Fault | null {
  if (error instanceof Fault) return error;
  if (!isOutOfReach(error)) return null;
  return new Fault('DATABASE_UNAVAILABLE', (error as Error).message, { cause: error });
}

// Workers are forked from this very file.
if (process.argv[1] === import.meta.filename) await runProgram(process.argv.slice(2));
