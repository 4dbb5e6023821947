// The command line inside the test: commands run as a shell would run them, on a deployment of the test's own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { vi } from 'vitest';
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

/** Runs a command line; answers what it wrote to stdout, throws CommanderError where the process would end. */
export async function runCommand(commands: readonly Command[], args: readonly string[]): Promise<string> {
  let output = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
  const program = new Command('likeness');
  for (const command of commands) program.addCommand(command);
  const all = [program, ...commands, ...commands.flatMap((command) => command.commands)];
  for (const command of all) command.exitOverride().configureOutput({ writeErr: () => {} });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } finally {
    write.mockRestore();
  }
  return output;
}
