// `likeness console openid`: how the console's people sign in by OpenID Connect.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { composeOpenid } from '../composition/console.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { discoverProvider, isSafeAddress, redirectUriOf } from '../console/openid/provider.ts';
import type { OpenidSettings } from '../console/openid-settings.ts';
import { OPERATOR } from '../keys/principal.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';

/** The `openid` command of `console`. */
export function openidCommand(): Command {
  return new Command('openid')
    .description('sign-in by OpenID Connect: who may see, operate and administer')
    .addCommand(setCommand())
    .addCommand(showCommand())
    .addCommand(removeCommand());
}

interface SetOptions {
  issuer: string;
  clientId: string;
  clientSecretFile: string;
  rolesClaim: string;
  viewer?: string[];
  operator?: string[];
  administrator?: string[];
  name: string;
  scope: string;
  consoleUrl?: string;
  json?: boolean;
}

function setCommand(): Command {
  return new Command('set')
    .description('set it up, or change it; sessions opened under earlier settings end')
    .requiredOption('--issuer <url>', 'the OpenID Provider')
    .requiredOption('--client-id <id>', 'the client registered there')
    .requiredOption('--client-secret-file <file>', 'file with its secret, which is stored sealed')
    .requiredOption('--roles-claim <name>', 'claim of the ID token with a role, or a list of them')
    .option('--viewer <value...>', 'values that let a person see figures and challenges')
    .option('--operator <value...>', 'values that also let a person view recordings and send events again')
    .option('--administrator <value...>', 'values that let a person do everything')
    .option('--name <text>', 'the provider’s name on the sign-in page', 'Single sign-on')
    .option('--scope <text>', 'scope that is asked for', 'openid profile')
    .option('--console-url <url>', 'where browsers find the console, without /console (default: BASE_URL)')
    .option(...JSON_OPTION)
    .action((options: SetOptions, command: Command) =>
      withFoundation(async (foundation) => {
        const { config } = foundation;
        if (options.consoleUrl === undefined && config.CONSOLE_PORT !== 0) {
          command.error(
            'error: the console has a port of its own: say with --console-url how browsers reach it',
          );
        }
        const settings = settingsOf(options, config.baseUrl);
        for (const address of [settings.issuer, settings.console_url]) {
          if (!isSafeAddress(address)) command.error(`error: ${address} is not an https address`);
        }
        if (Object.values(settings.roles).every((values) => values.length === 0)) {
          command.error('error: give at least one value of a role: nobody could sign in');
        }
        const secret = readSecret(options.clientSecretFile, command);
        await discoverProvider(settings, secret).catch((error: Error) =>
          command.error(
            `error: ${settings.issuer} does not answer as an OpenID Provider: ${reasonOf(error)}`,
          ),
        );
        await (await composeOpenid(foundation)).set(settings, secret, OPERATOR);
        writeAnswer(options.json, { ...settings, redirect_uri: redirectUriOf(settings) }, [
          ...linesOf(settings),
          '',
          'Register the redirect URI with the provider. Without CONSOLE_PASSWORD, restart every API process now.',
        ]);
      }),
    );
}

function settingsOf(options: SetOptions, baseUrl: string): OpenidSettings {
  const { viewer = [], operator = [], administrator = [] } = options;
  return {
    name: options.name,
    issuer: options.issuer,
    client_id: options.clientId,
    console_url: (options.consoleUrl ?? baseUrl).replace(/\/+$/, ''),
    scope: options.scope,
    roles_claim: options.rolesClaim,
    roles: { viewer, operator, administrator },
  };
}

function readSecret(file: string, command: Command): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return command.error(`error: ${file} cannot be read`);
  }
}

/** What `fetch` rejects with says nothing itself; its cause does. */
const reasonOf = ({ message, cause }: Error): string => (cause instanceof Error ? cause.message : message);

const linesOf = (settings: OpenidSettings): string[] => [
  `name           ${settings.name}`,
  `issuer         ${settings.issuer}`,
  `client id      ${settings.client_id}`,
  `scope          ${settings.scope}`,
  `roles claim    ${settings.roles_claim}`,
  ...Object.entries(settings.roles).map(([role, values]) => `${role.padEnd(15)}${values.join(', ') || '–'}`),
  `redirect URI   ${redirectUriOf(settings)}`,
];

function showCommand(): Command {
  return new Command('show')
    .description('print the settings, without the client secret')
    .option(...JSON_OPTION)
    .action(({ json }: { json?: boolean }) =>
      withFoundation(async (foundation) => {
        const found = await (await composeOpenid(foundation)).read();
        const shown = found && { ...found, redirect_uri: redirectUriOf(found) };
        writeAnswer(json, shown ?? {}, found ? linesOf(found) : ['sign-in by OpenID Connect is not set up']);
      }),
    );
}

function removeCommand(): Command {
  return new Command('remove')
    .description('remove it; sessions that were opened by it end')
    .action((_options: object, command: Command) =>
      withFoundation(async (foundation) => {
        const removed = await (await composeOpenid(foundation)).remove(OPERATOR);
        if (!removed) command.error('error: sign-in by OpenID Connect is not set up');
        process.stdout.write('sign-in by OpenID Connect has been removed, and its sessions have ended\n');
      }),
    );
}
