// Assembles the command line; each command has its own file. Errors print a sentence and set an exit code; bugs print
// their stack.
import { Command, CommanderError } from 'commander';
import { isDatabaseUnavailable } from '../base/database-unavailable.ts';
import { Fault } from '../base/errors.ts';
import { FURTHER_COMMANDS } from '../composition/further-commands.ts';
import { VERSION } from '../config/version.ts';
import { handleBrokenOutput } from './broken-output.ts';
import { EXIT, EXIT_HELP } from './exit-codes.ts';
import type { OpenFeatid } from './judging.ts';

/**
 * Commands by name, in the order of the help. Each is loaded only when named, because it imports most of the program.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  migrate: async () => (await import('./migrate.ts')).migrateCommand(),
  doctor: async () => (await import('./doctor.ts')).doctorCommand(),
  config: async () => (await import('./config.ts')).configCommand(),
  challenge: async () => (await import('./challenge.ts')).challengeCommand(),
  accounts: async () => (await import('./accounts.ts')).accountsCommand(),
  keys: async () => (await import('./keys.ts')).keysCommand(),
  featids: async () => (await import('./featids.ts')).featidsCommand(),
  ...FURTHER_COMMANDS,
  deliveries: async () => (await import('./deliveries.ts')).deliveriesCommand(),
  erasures: async () => (await import('./erasures.ts')).erasuresCommand(),
  evaluate: async () => (await import('./evaluate.ts')).evaluateCommand(openFeatid),
  compare: async () => (await import('./compare.ts')).compareCommand(openFeatid),
  verify: async () => (await import('./verify.ts')).verifyCommand(),
  receipts: async () => (await import('./receipts.ts')).receiptsCommand(),
  assurance: async () => (await import('./assurance.ts')).assuranceCommand(),
  bench: async () => (await import('./bench.ts')).benchCommand(),
  assets: async () => (await import('./assets.ts')).assetsCommand(),
  purge: async () => (await import('./purge.ts')).purgeCommand(),
  models: async () => (await import('./models.ts')).modelsCommand(),
  console: async () => (await import('./console.ts')).consoleCommand(),
};

const openFeatid: OpenFeatid = async (featid) =>
  (await import('./open-featid.ts')).openFeatidFromDatabase(featid);

/** Runs one command line (without `node` and the program's name). */
export async function runProgram(args: readonly string[]): Promise<void> {
  handleBrokenOutput();
  const program = new Command('likeness')
    .description('Self-hosted biometric authentication challenges')
    .version(VERSION, '-V, --version', 'print the version of this build');
  const name = args[0] ?? '';
  const named = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of named ? [named] : Object.values(COMMANDS)) program.addCommand(await load());
  // Commander would exit immediately with code 1.
  for (const command of withSubcommands(program)) command.exitOverride().addHelpText('after', EXIT_HELP);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    process.exitCode = exitCodeOf(error);
  }
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Prints the error unless it was already printed, and returns the exit code. Rethrows bugs unchanged. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const fault = asFault(error);
  if (!fault) throw error;
  process.stderr.write(`likeness: ${fault.message} [${fault.code}]\n`);
  return fault.code === 'CONFIG_INVALID' ? EXIT.usage : EXIT.fault;
}

/** Null for a bug. */
function asFault(error: unknown): { message: string; code: string } | null {
  if (error instanceof Fault) return error;
  if (isDatabaseUnavailable(error)) return new Fault('DATABASE_UNAVAILABLE', (error as Error).message);
  const { code, path, message } = error as NodeJS.ErrnoException;
  // An unusable file, as reported by Node: `EACCES: permission denied, open '/var/lib/likeness/master.key'`.
  return code && path ? { message: message.replace(`${code}: `, ''), code } : null;
}

// Workers are forked with this file as their entry point.
if (process.argv[1] === import.meta.filename) await runProgram(process.argv.slice(2));
