// `likeness oidc`: clients of the OpenID Provider, whom they know, and the keys that sign its tokens.
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Foundation } from '../composition/foundation.ts';
import { composeOidcAdministration, type OidcAdministration } from '../composition/oidc.ts';
import { parseFeatid } from '../featid/featid-text.ts';
import { AUTH_METHODS, MAX_SESSION_SECONDS } from '../oidc/clients.ts';
import type { ClientAuthMethod, ClientSettings, OidcClient } from '../oidc/ports.ts';
import { alignColumns, writeAnswer } from './answer.ts';
import { findAccount } from './find-account.ts';
import { withFoundation } from './with-foundation.ts';

const OPERATOR = 'operator';

/** The `oidc` command. */
export function oidcCommand(): Command {
  const clients = new Command('clients')
    .description('the clients of the OpenID Provider')
    .addCommand(addCommand())
    .addCommand(listCommand())
    .addCommand(replaceSecretCommand())
    .addCommand(removeCommand());
  const subjects = new Command('subjects')
    .description('the people whom a client knows')
    .addCommand(linkCommand())
    .addCommand(eraseCommand());
  const keys = new Command('keys').description('the keys that sign tokens').addCommand(rotateCommand());
  return new Command('oidc')
    .description('Likeness as a login: the OpenID Provider (OIDC=on)')
    .addCommand(clients)
    .addCommand(subjects)
    .addCommand(keys);
}

const administer = <T>(work: (oidc: OidcAdministration, foundation: Foundation) => Promise<T>): Promise<T> =>
  withFoundation(async (foundation) => work(await composeOidcAdministration(foundation), foundation));

interface AddOptions {
  account: string;
  redirectUri: string[];
  auth: ClientAuthMethod;
  jwks?: string;
  enrol?: boolean;
  requirePar?: boolean;
  sessionSeconds: number;
  hintIssuer?: string;
  hintJwks?: string;
  displayName?: string;
  purpose?: string;
  privacyUrl?: string;
  json?: boolean;
}

function addCommand(): Command {
  return new Command('add')
    .description('register a client; its secret is printed once')
    .argument('<name>', 'for operators; unique within the account')
    .requiredOption('--account <name>', 'whose checks its logins are: name or id of the account')
    .requiredOption('--redirect-uri <url...>', 'where people are led back to, letter for letter')
    .addOption(
      new Option('--auth <method>', 'how it proves that it is itself')
        .choices([...AUTH_METHODS])
        .default('client_secret_basic'),
    )
    .option('--jwks <file>', 'its public keys, for private_key_jwt and signed requests')
    .option('--enrol', 'enrol whom it names for the first time, if nobody else can have named them')
    .option('--require-par', 'refuse requests that were not pushed')
    .option('--session-seconds <n>', 'how long a check counts for further logins', readSessionSeconds, 0)
    .option(
      '--hint-issuer <url>',
      'issuer of its id_token_hints: Entra, for an external authentication method',
    )
    .option('--hint-jwks <url>', "that issuer's public keys")
    .option('--display-name <text>', "its name on the privacy screen (default: the account's)")
    .option('--purpose <text>', "what the check is for, on the privacy screen (default: the account's)")
    .option('--privacy-url <url>', "its privacy notice (default: the account's)")
    .option('--json', 'answer as JSON')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const added = await administer(async ({ clients }, { accounts }) => {
        const account = await findAccount(accounts, options.account);
        return account && clients.add(account, requestOf(name, options, command), OPERATOR);
      });
      if (!added) return command.error(`error: there is no account ${options.account}`);
      if (added.status === 'name_taken')
        return command.error(`error: there is a client named ${name} already`);
      if (added.status === 'invalid') return command.error(`error: ${added.faults.join('; ')}`);
      const { client, secret } = added;
      writeAnswer(options.json, { ...describe(client), client_secret: secret }, [
        `client id      ${client.id}`,
        ...(secret === null ? [] : [`client secret  ${secret}`, 'Keep it now: it is not shown again.']),
      ]);
    });
}

function requestOf(name: string, options: AddOptions, command: Command) {
  const { hintIssuer, hintJwks } = options;
  if ((hintIssuer === undefined) !== (hintJwks === undefined)) {
    command.error('error: --hint-issuer and --hint-jwks belong together');
  }
  return {
    name,
    redirectUris: options.redirectUri,
    authMethod: hintIssuer === undefined ? options.auth : ('none' as const),
    jwks: options.jwks === undefined ? null : readJwks(options.jwks, command),
    enrolment: options.enrol ? ('authenticated' as const) : ('never' as const),
    requirePar: options.requirePar ?? false,
    sessionSeconds: options.sessionSeconds,
    hintIssuer: hintIssuer === undefined ? null : { issuer: hintIssuer, jwks_uri: hintJwks! },
    displayName: options.displayName ?? null,
    purpose: options.purpose ?? null,
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

function listCommand(): Command {
  return new Command('list')
    .description('list the clients')
    .option('--account <name>', 'of one account, by its name or id')
    .option('--json', 'answer as JSON')
    .action(async ({ account: name, json }: { account?: string; json?: boolean }, command: Command) => {
      const found = await administer(async ({ clients, subjects }, { accounts }) => {
        const account = name === undefined ? null : await findAccount(accounts, name);
        if (account === undefined) return null;
        const list = await clients.list(account?.id);
        return Promise.all(
          list.map(async (client) => ({ client, people: await subjects.countOf(client.id) })),
        );
      });
      if (!found) return command.error(`error: there is no account ${name}`);
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

function replaceSecretCommand(): Command {
  return new Command('replace-secret')
    .description('a new secret, printed once; the old one is worth nothing at once')
    .argument('<client>', 'id of the client')
    .option('--json', 'answer as JSON')
    .action(async (id: string, { json }: { json?: boolean }, command: Command) => {
      const secret = await administer(({ clients }) => clients.replaceSecret(id, OPERATOR));
      if (secret === null) return command.error(`error: there is no client ${id} with a secret`);
      writeAnswer(json, { client_id: id, client_secret: secret }, [
        secret,
        'Keep it now: it is not shown again.',
      ]);
    });
}

function removeCommand(): Command {
  return new Command('remove')
    .description('remove a client, everybody whom it knows, and the FeatureIDs that its logins enrolled')
    .argument('<client>', 'id of the client')
    .option('--json', 'answer as JSON')
    .action(async (id: string, { json }: { json?: boolean }, command: Command) => {
      const removed = await administer(({ clients }) => clients.remove(id, OPERATOR));
      if (!removed) return command.error(`error: there is no client ${id}`);
      writeAnswer(json, { client_id: id, removed }, [`${id} is removed`]);
    });
}

interface LinkOptions {
  client: string;
  hint: string;
  issuer?: boolean;
  featid: string;
  json?: boolean;
}

function linkCommand(): Command {
  return new Command('link')
    .description('let a client know somebody by a FeatureID that there is already')
    .requiredOption('--client <id>', 'id of the client')
    .requiredOption('--hint <name>', "the client's name for the person, as in its login_hint")
    .option('--issuer', "the name is `sub` of the client's hint issuer")
    .requiredOption('--featid <featid>', 'FeatureID of the same account')
    .option('--json', 'answer as JSON')
    .action(async ({ client: id, hint, issuer, featid, json }: LinkOptions, command: Command) => {
      const featidId = parseFeatid(featid)?.id;
      if (featidId === undefined) return command.error('error: that is not a readable FeatureID');
      const linked = await administer(async ({ clients, subjects }) => {
        const client = await clients.find(id);
        if (!client) return 'no_client';
        const person = { source: issuer ? ('issuer' as const) : ('login_hint' as const), name: hint };
        return subjects.add({ client, person, featid, featidId, isEnrolledHere: false, actor: OPERATOR });
      });
      if (linked === 'no_client') return command.error(`error: there is no client ${id}`);
      if (linked === 'taken') return command.error('error: the client knows somebody by this name already');
      if (linked === 'gone') return command.error('error: the FeatureID is not in force in this account');
      writeAnswer(json, { client_id: id, linked: true }, ['linked']);
    });
}

interface EraseOptions {
  client: string;
  hint?: string;
  sub?: string;
  issuer?: boolean;
  json?: boolean;
}

function eraseCommand(): Command {
  return new Command('erase')
    .description('let a client forget somebody; a FeatureID that a login enrolled is erased with it')
    .requiredOption('--client <id>', 'id of the client')
    .option('--hint <name>', "the client's name for the person")
    .option('--issuer', "the name is `sub` of the client's hint issuer")
    .option('--sub <sub>', "or `sub` of the client's tokens")
    .option('--json', 'answer as JSON')
    .action(async ({ client: id, hint, sub, issuer, json }: EraseOptions, command: Command) => {
      if ((hint === undefined) === (sub === undefined)) return command.error('error: name --hint or --sub');
      const erased = await administer(async ({ clients, subjects }) => {
        const client = await clients.find(id);
        if (!client) return false;
        const source = issuer ? ('issuer' as const) : ('login_hint' as const);
        const subject = hint === undefined ? null : await subjects.findByName(client, { source, name: hint });
        const subjectId = sub ?? subject?.id;
        return subjectId !== undefined && subjects.erase(id, subjectId, OPERATOR);
      });
      if (!erased) return command.error('error: the client knows nobody of this name');
      writeAnswer(json, { client_id: id, erased }, ['erased']);
    });
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('a new key signs at once; services take it up within half a minute')
    .option('--discard', 'remove the others too: tokens that they signed are worthless from then on')
    .option('--json', 'answer as JSON')
    .action(async ({ discard = false, json }: { discard?: boolean; json?: boolean }) => {
      const kid = await administer(({ keys }) => keys.rotate({ discard }, OPERATOR));
      writeAnswer(json, { kid }, [`${kid} signs from now on`]);
    });
}

const describe = ({ id, accountId, name, settings, createdAt }: OidcClient): object => ({
  client_id: id,
  account: accountId,
  name,
  ...settings,
  created_at: createdAt,
});

function readSessionSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > MAX_SESSION_SECONDS) {
    throw new InvalidArgumentError(`a whole number from 0 to ${MAX_SESSION_SECONDS} is needed`);
  }
  return seconds;
}
