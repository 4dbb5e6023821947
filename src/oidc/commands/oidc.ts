// `likeness oidc`: manages clients of the OpenID Provider, the people they know, and the keys that sign its tokens.
import { Command } from 'commander';
import { parseFeatid } from '../../featid/featid-text.ts';
import { OPERATOR } from '../../keys/principal.ts';
import { JSON_OPTION, writeAnswer } from '../../terminal/answer.ts';
import type { Administer } from '../administration.ts';
import { erasePerson } from '../erase-person.ts';
import { clientsCommand } from './clients.ts';

/** The `oidc` command. */
export function oidcCommand(administer: Administer): Command {
  const subjects = new Command('subjects')
    .description('the people known to a client')
    .addCommand(linkCommand(administer))
    .addCommand(eraseCommand(administer));
  const keys = new Command('keys')
    .description('the keys that sign tokens')
    .addCommand(rotateCommand(administer));
  return new Command('oidc')
    .description('Likeness as a login: the OpenID Provider (OIDC=on)')
    .addCommand(clientsCommand(administer))
    .addCommand(subjects)
    .addCommand(keys);
}

interface LinkOptions {
  client: string;
  hint: string;
  issuer?: boolean;
  featid: string;
  json?: boolean;
}

function linkCommand(administer: Administer): Command {
  return new Command('link')
    .description('link a person to a client by an existing FeatureID')
    .requiredOption('--client <id>', 'id of the client')
    .requiredOption('--hint <name>', "the client's name for the person, as in its login_hint")
    .option('--issuer', "the name is `sub` of the client's hint issuer")
    .requiredOption('--featid <featid>', 'FeatureID of the same account')
    .option(...JSON_OPTION)
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
      if (linked === 'taken') return command.error('error: the client already knows somebody by this name');
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

function eraseCommand(administer: Administer): Command {
  return new Command('erase')
    .description(
      'make a client forget a person and every stored check of them; a FeatureID that a login enrolled is erased too',
    )
    .requiredOption('--client <id>', 'id of the client')
    .option('--hint <name>', "the client's name for the person")
    .option('--issuer', "the name is `sub` of the client's hint issuer")
    .option('--sub <sub>', "or `sub` of the client's tokens")
    .option(...JSON_OPTION)
    .action(async ({ client: id, hint, sub, issuer, json }: EraseOptions, command: Command) => {
      if ((hint === undefined) === (sub === undefined))
        return command.error('error: give either --hint or --sub');
      const named_by = hint === undefined ? 'sub' : issuer ? 'issuer' : 'login_hint';
      const checks = await administer(async ({ clients, subjects, challenges }) => {
        const client = await clients.find(id);
        const named = { named_by, name: hint ?? sub! } as const;
        return client && erasePerson({ subjects, challenges }, client, named, OPERATOR);
      });
      if (checks === null) return command.error('error: the client knows nobody by this name');
      writeAnswer(json, { client_id: id, erased: true, checks }, [`erased, with ${checks} checks`]);
    });
}

function rotateCommand(administer: Administer): Command {
  return new Command('rotate')
    .description('sign with a new key at once; services pick it up within half a minute')
    .option('--discard', 'also remove the other keys: tokens that they signed become invalid')
    .option(...JSON_OPTION)
    .action(async ({ discard = false, json }: { discard?: boolean; json?: boolean }) => {
      const kid = await administer(({ keys }) => keys.rotate({ discard }, OPERATOR));
      writeAnswer(json, { kid }, [`${kid} signs from now on`]);
    });
}
