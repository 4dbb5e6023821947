// The command line: one file per command, put together here. Errors end with a sentence and an exit code, no stack.
import { Command } from 'commander';
import { Fault } from '../base/errors.ts';
import { isOutOfReach } from '../base/out-of-reach.ts';
import type { OpenFeatid } from './judging.ts';

/** Commands by name, in the order of the help. Each is loaded when it is named: they stand on most of the program. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  challenge: async () => (await import('./challenge.ts')).challengeCommand(),
  accounts: async () => (await import('./accounts.ts')).accountsCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  featids: async () => (await import('./featids.ts')).featidsCommand(),
  deliveries: async () => (await import('./deliveries.ts')).deliveriesCommand(),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(openFeatid),
  compare: async () => (await import('./compare.ts')).compareCommand(openFeatid),
  bench: async () => (await import('./bench.ts')).benchCommand(),
  purge: async () => (await import('./purge.ts')).purgeCommand(),
  models: async () => (await import('./models.ts')).modelsCommand(),
  console: async () => (await import('./console.ts')).consoleCommand(),
};

const openFeatid: OpenFeatid = async (featid) =>
  (await import('./open-featid.ts')).openFeatidFromDatabase(featid);

/** Runs one command line (without `node` and the program's name). */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('likeness').description('Self-hosted biometric authentication challenges');
  const name = args[0] ?? '';
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of named ? [named] : Object.values(COMMANDS)) program.addCommand(await load());
  if (!named) program.addCommand((await import('./completion.ts')).completionCommand());
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
