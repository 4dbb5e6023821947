// `likeness oidc clients`: manages clients of the OpenID Provider, and the texts that people read about them.
import { readFileSync } from 'node:fs';
import { Command, Option } from 'commander';
import { DEVICE_BINDINGS, type DeviceBinding } from '../../contract/device.ts';
import { OPERATOR } from '../../keys/principal.ts';
import type { Account } from '../../keys/tables/account-store.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../../terminal/answer.ts';
import { requireAccount } from '../../terminal/find-account.ts';
import { wholeNumber } from '../../terminal/whole-number.ts';
import type { Administer, OidcWork } from '../administration.ts';
import { MAX_CONSENT_CHARS, MAX_SESSION_SECONDS } from '../client-limits.ts';
import { AUTH_METHODS, type ClientTexts } from '../clients.ts';
import type { ClientAuthMethod, ClientSettings, OidcClient } from '../tables/clients.ts';

/** The `clients` command of `oidc`. */
export function clientsCommand(administer: Administer): Command {
  return new Command('clients')
    .description('the clients of the OpenID Provider')
    .addCommand(addCommand(administer))
    .addCommand(listCommand(administer))
    .addCommand(textsCommand(administer))
    .addCommand(replaceSecretCommand(administer))
    .addCommand(removeCommand(administer));
}

interface AddOptions {
  account: string;
  sandbox?: boolean;
  redirectUri: string[];
  auth: ClientAuthMethod;
  jwks?: string;
  enrol?: boolean;
  device: DeviceBinding;
  requirePar?: boolean;
  sessionSeconds: number;
  hintIssuer?: string;
  hintJwks?: string;
  displayName?: string;
  purpose?: string;
  consentText?: string;
  privacyUrl?: string;
  json?: boolean;
}

function addCommand(administer: Administer): Command {
  return new Command('add')
    .description('register a client; its secret is printed once')
    .argument('<name>', 'for operators; unique within the account')
    .requiredOption('--account <name>', 'account whose challenges its logins are, by name or id')
    .option('--sandbox', "of the account's sandbox: buttons in place of the camera, and never `acr` face")
    .requiredOption('--redirect-uri <url...>', 'redirect URI, which must match exactly')
    .addOption(
      new Option('--auth <method>', 'client authentication method')
        .choices([...AUTH_METHODS])
        .default('client_secret_basic'),
    )
    .option('--jwks <file>', 'its public keys, for private_key_jwt and signed requests')
    .option('--enrol', 'enrol a person on their first login, if only this client can have named them')
    .addOption(
      new Option('--device <binding>', "whether the person's device signs each recording (a passkey)")
        .choices([...DEVICE_BINDINGS])
        .default('off'),
    )
    .option('--require-par', 'refuse authorization requests that were not pushed (PAR)')
    .option(
      '--session-seconds <n>',
      'how long a check is valid for further logins',
      wholeNumber(0, MAX_SESSION_SECONDS),
      0,
    )
    .option(
      '--hint-issuer <url>',
      'issuer of its id_token_hints: Entra, for an external authentication method',
    )
    .option('--hint-jwks <url>', "that issuer's public keys")
    .option('--display-name <text>', "its name on the privacy screen (default: the account's)")
    .option('--purpose <text>', "purpose of the check on the privacy screen (default: the account's)")
    .option(
      '--consent-text <text>',
      `its own addition to the consent text, up to ${MAX_CONSENT_CHARS} characters`,
    )
    .option('--privacy-url <url>', "its privacy notice (default: the account's)")
    .option(...JSON_OPTION)
    .action(async (name: string, options: AddOptions, command: Command) => {
      const added = await administer(async ({ clients, accounts }) => {
        const named = await requireAccount(accounts, options.account, command);
        const account = options.sandbox ? await sandboxOf(accounts, named, command) : named;
        return clients.add(account, requestOf(name, options, command), OPERATOR);
      });
      if (added.status === 'name_taken') return command.error(`error: a client named ${name} already exists`);
      if (added.status === 'invalid') return command.error(`error: ${added.faults.join('; ')}`);
      const { client, secret } = added;
      writeAnswer(options.json, { ...describe(client), client_secret: secret }, [
        `client id      ${client.id}`,
        ...(secret === null ? [] : [`client secret  ${secret}`, 'Save it now: it is not shown again.']),
      ]);
    });
}

/** The sandbox of an account, which its first sandbox key makes. */
async function sandboxOf(accounts: OidcWork['accounts'], account: Account, command: Command) {
  if (account.sandboxOf !== null) return account;
  const sandbox = await accounts.findSandboxOf(account.id);
  const { name } = account;
  return (
    sandbox ??
    command.error(`error: ${name} has no sandbox yet: likeness keys create --account ${name} --sandbox`)
  );
}

function requestOf(name: string, options: AddOptions, command: Command) {
  const { hintIssuer, hintJwks } = options;
  if ((hintIssuer === undefined) !== (hintJwks === undefined)) {
    command.error('error: give --hint-issuer and --hint-jwks together');
  }
  return {
    name,
    redirectUris: options.redirectUri,
    authMethod: hintIssuer === undefined ? options.auth : ('none' as const),
    jwks: options.jwks === undefined ? null : readJwks(options.jwks, command),
    enrolment: options.enrol ? ('authenticated' as const) : ('never' as const),
    deviceBinding: options.device,
    requirePar: options.requirePar ?? false,
    sessionSeconds: options.sessionSeconds,
    hintIssuer: hintIssuer === undefined ? null : { issuer: hintIssuer, jwks_uri: hintJwks! },
    displayName: options.displayName ?? null,
    purpose: options.purpose ?? null,
    consentText: options.consentText ?? null,
    privacyUrl: options.privacyUrl ?? null,
  };
}

function readJwks(file: string, command: Command): NonNullable<ClientSettings['jwks']> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return command.error(`error: ${file} is not a JSON file`);
  }
}

function listCommand(administer: Administer): Command {
  return new Command('list')
    .description('list the clients')
    .option('--account <name>', 'only of this account, by name or id')
    .option(...JSON_OPTION)
    .action(async ({ account: name, json }: { account?: string; json?: boolean }, command: Command) => {
      const found = await administer(async ({ clients, subjects, accounts }) => {
        const account = name === undefined ? null : await requireAccount(accounts, name, command);
        const list = await clients.list(account?.id);
        return Promise.all(
          list.map(async (client) => ({ client, people: await subjects.countOf(client.id) })),
        );
      });
      const rows = found.map(({ client, people }) => [
        client.id,
        client.name,
        client.settings.profile,
        client.settings.enrolment,
        String(people),
      ]);
      const data = found.map(({ client, people }) => ({ ...describe(client), people }));
      writeAnswer(
        json,
        { data },
        alignColumns([['client', 'name', 'profile', 'enrolment', 'people'], ...rows]),
      );
    });
}

type TextsOptions = Pick<AddOptions, 'displayName' | 'purpose' | 'consentText' | 'privacyUrl' | 'json'>;

function textsCommand(administer: Administer): Command {
  return new Command('texts')
    .description(
      'change the texts that people read, from their next check on; omitted texts stay, empty ones are removed',
    )
    .argument('<client>', 'id of the client')
    .option('--display-name <text>', 'its name')
    .option('--purpose <text>', 'purpose of the check')
    .option('--consent-text <text>', 'its own addition to the consent text')
    .option('--privacy-url <url>', 'its privacy notice')
    .option(...JSON_OPTION)
    .action(async (id: string, { json, ...given }: TextsOptions, command: Command) => {
      const texts: ClientTexts = Object.fromEntries(
        Object.entries(given).map(([name, text]) => [name, text === '' ? null : text]),
      );
      const changed = await administer(({ clients }) => clients.reword(id, texts, OPERATOR));
      if (changed.status === 'not_found') return command.error(`error: there is no client ${id}`);
      if (changed.status === 'invalid') return command.error(`error: ${changed.faults.join('; ')}`);
      writeAnswer(json, describe(changed.client), [`${id} is changed`]);
    });
}

function replaceSecretCommand(administer: Administer): Command {
  return new Command('replace-secret')
    .description('make a new secret and print it, once; the old one stops working at once')
    .argument('<client>', 'id of the client')
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: { json?: boolean }, command: Command) => {
      const secret = await administer(({ clients }) => clients.replaceSecret(id, OPERATOR));
      if (secret === null) return command.error(`error: there is no client ${id} with a secret`);
      writeAnswer(json, { client_id: id, client_secret: secret }, [
        secret,
        'Save it now: it is not shown again.',
      ]);
    });
}

function removeCommand(administer: Administer): Command {
  return new Command('remove')
    .description('remove a client, everybody it knows, and the FeatureIDs that its logins enrolled')
    .argument('<client>', 'id of the client')
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: { json?: boolean }, command: Command) => {
      const removed = await administer(({ clients }) => clients.remove(id, OPERATOR));
      if (!removed) return command.error(`error: there is no client ${id}`);
      writeAnswer(json, { client_id: id, removed }, [`${id} is removed`]);
    });
}

const describe = ({ id, accountId, name, settings, createdAt }: OidcClient): object => ({
  client_id: id,
  account: accountId,
  name,
  ...settings,
  created_at: createdAt,
});
