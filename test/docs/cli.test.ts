import { expect, test } from '@jest/globals';
import { aPlace } from '../clients/cli/cli.ts';
import { readPage } from './pages.ts';

const { text: page } = readPage('docs/cli.md');

/** What stands in the first column of a list of the help. */
const listed = (help: string, heading: string): string[] =>
  [...(help.split(`${heading}:\n`)[1] ?? '').split('\n\n')[0]!.matchAll(/^ {2}(\S[^ ,]*)/gm)].map(
    ([, name = '']) => name,
  );

test('docs/cli.md names every command', async () => {
  const place = aPlace();
  const { stdout } = await place.cli(['--help']);
  const commands = listed(stdout, 'Commands');
  expect(commands).toContain('run');
  for (const command of commands) expect(page).toContain(`\`${command}\``);
  place.remove();
});

test('docs/cli.md has the exit codes of the program', async () => {
  const place = aPlace();
  const { stdout } = await place.cli(['help', 'exit-codes']);
  const codes = [...stdout.matchAll(/^ {2}(\d+) /gm)].map(([, code]) => code);
  expect([...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => code)).toEqual(codes);
  place.remove();
});
