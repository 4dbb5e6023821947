// Every shell block of README, guides, operations and privacy is run by a test, or says why not.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf, commandsOf, DOCUMENTS, NOT_RUN, RUN_BY, startCommands } from '../support/shell-blocks.ts';

const projectRoot = resolve(import.meta.dirname, '..', '..');

it('every document with commands that can run here has a test that runs them', () => {
  const running = DOCUMENTS.filter((document) => commandsOf(document).length > 0);
  expect(Object.keys(RUN_BY)).toEqual(running);
  for (const [document, test] of Object.entries(RUN_BY))
    expect(readFileSync(join(projectRoot, test), 'utf8'), test).toContain(`'${document}'`);
});

it('each reason for not running one is that of one block', () => {
  const blocks = DOCUMENTS.flatMap(blocksOf);
  for (const begin of Object.keys(NOT_RUN))
    expect(
      blocks.filter((commands) => commands.startsWith(begin)),
      begin,
    ).toHaveLength(1);
});

it('a block that starts the service does nothing else, so that all of it is run', () => {
  const starts = DOCUMENTS.flatMap(blocksOf).filter((commands) => /npm start/.test(commands));
  // `npm test` is what runs this.
  for (const commands of starts) expect(commands).toMatch(/^[^\n]*npm start[^\n]*\n(npm test[^\n]*\n)?$/);
  expect(startCommands()).toContain('npm start');
});
