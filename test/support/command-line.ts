// The command line inside the test process: runs commands as a shell would, on a deployment of the test's own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface TestDeployment {
  readonly database: TestDatabase;
  readonly dataDir: string;
  remove(): Promise<void>;
}

/** A database and a data folder, named by the environment until they are removed. */
export async function createDeployment(): Promise<TestDeployment> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'likeness-cli-'));
  // Vitest has a MODE and a BASE_URL of its own.
  vi.stubEnv('MODE', 'development');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('LOG_LEVEL', 'silent');
  return {
    database,
    dataDir,
    remove: async () => {
      vi.unstubAllEnvs();
      await database.drop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Runs a command line; returns what it wrote to stdout, throws CommanderError where the process would exit. */
export async function runCommand(commands: readonly Command[], args: readonly string[]): Promise<string> {
  let output = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  const program = new Command('likeness');
  for (const command of commands) program.addCommand(command);
  const withSubcommands = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap(withSubcommands),
  ];
  for (const command of withSubcommands(program))
    command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return output;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a whole command line as bin/likeness does, but in this process. Returns what it writes and the exit code that
 * the process would have. One at a time. Rejects on a bug, where a process would exit with its stack trace.
 */
export async function runLikeness(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      written[stream] += text;
      return true;
    }),
  );
  const { exitCode } = process;
  // Vitest has a MODE and a BASE_URL of its own.
  const given = { MODE: undefined, BASE_URL: undefined, ...environment };
  const before = Object.fromEntries(Object.keys(given).map((name) => [name, process.env[name]]));
  try {
    process.exitCode = undefined;
    setEnvironment(given);
    await runProgram(args);
    return { code: Number(process.exitCode ?? 0), ...written };
  } finally {
    process.exitCode = exitCode;
    setEnvironment(before);
    for (const spy of spies) spy.mockRestore();
  }
}

function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
