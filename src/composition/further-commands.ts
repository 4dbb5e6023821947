// Commands of rooms that the command line does not know, by name; loaded only when named.
import type { Command } from 'commander';

export const FURTHER_COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  oidc: async () => {
    const [{ oidcCommand }, { administerOidc }] = await Promise.all([
      import('../oidc/commands/oidc.ts'),
      import('./oidc/administration.ts'),
    ]);
    return oidcCommand(administerOidc);
  },
};
