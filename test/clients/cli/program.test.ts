import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { openApiDocument } from '../../../clients/api/document.ts';
import { repeated } from '../../../clients/cli/definitions/act.ts';
import { COMMANDS, createProgram } from '../../../clients/cli/program.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';
import { said } from './inProcess.ts';

const { paths } = openApiDocument();

interface Shown {
  readonly request: string;
  readonly method: string;
  readonly path: string;
  readonly rest: string;
}

/** What a text says to send by `evalgate api`. */
const requestsIn = (text: string): Shown[] =>
  [...text.matchAll(/evalgate api ([A-Z]+) (\/[^\s'"`?]*)(.*)/g)].map(
    ([request, method = '', at = '', rest = '']) => ({
      request,
      method,
      path: at.replace(/[.:]$/, ''),
      rest,
    }),
  );

/** The operation's path in the OpenAPI document. */
function operationOf({ method, path: asked }: Shown): string | undefined {
  const parts = asked.split('/');
  const fits = (template: string): boolean => {
    const wanted = template.split('/');
    return (
      wanted.length === parts.length &&
      wanted.every((part, index) => part === parts[index] || (part.startsWith('{') && parts[index] !== ''))
    );
  };
  return Object.entries(paths).find(
    ([template, methods]) => fits(template) && Object.hasOwn(methods, method.toLowerCase()),
  )?.[0];
}

function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({ writeOut: (part) => void written.push(part) });
  command.outputHelp();
  return [...written, ...command.commands.map(helpOf)].join('\n');
}

const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() };
const io = { ...streams, env: {}, cwd: '/', signal: new AbortController().signal };
const help = helpOf(createProgram(io, [], () => undefined));

test('every request that a help text shows is an operation of openapi.json', () => {
  const shown = requestsIn(help);
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.filter((one) => operationOf(one) === undefined)).toEqual([]);
});

test('every body that a help text shows is one that the operation takes', () => {
  const withBodies = requestsIn(help).flatMap((one) => {
    const [, body] = /-d '(.*)'/.exec(one.rest) ?? [];
    return body === undefined ? [] : [{ ...one, body }];
  });
  expect(withBodies).not.toEqual([]);
  for (const { body, ...one } of withBodies) {
    const template = operationOf(one)?.replaceAll(/\{(\w+)\}/g, ':$1');
    const contract = contracts.find(({ method, path: known }) => method === one.method && known === template);
    expect(contract?.body?.safeParse(JSON.parse(body))).toMatchObject({ success: true });
  }
});

test('so is every one that the documents and the program itself tell to send', () => {
  const files = globSync(['README.md', 'docs/*.md', 'clients/**/*.ts', 'action.yml'], {
    cwd: REPOSITORY_DIR,
  });
  const shown = files.flatMap((file) => requestsIn(readFileSync(path.join(REPOSITORY_DIR, file), 'utf8')));
  expect(shown.length).toBeGreaterThan(4);
  expect(shown.filter((one) => operationOf(one) === undefined)).toEqual([]);
});

const namesAfter = (first?: string): string[] =>
  createProgram(io, [], () => undefined, first).commands.map((command) => command.name());
const ALL = [...Object.keys(COMMANDS), 'help'];

test('a start adds the command that the command line begins with, and all of them where it begins with none', () => {
  for (const first of [undefined, '', '--json', 'nothing', 'help', 'completion', '__proto__'])
    expect(namesAfter(first)).toEqual(ALL);
  for (const name of ALL.filter((one) => !['help', 'completion'].includes(one)))
    expect(namesAfter(name)).toEqual([name, 'help']);
});

/** Each command, with the words that call it. */
const commandsIn = (command: Command, words: readonly string[] = []): [Command, readonly string[]][] => [
  [command, words],
  ...command.commands.flatMap((below) => commandsIn(below, [...words, below.name()])),
];
const OPTIONS_OF_ONE_VALUE = commandsIn(createProgram(io, [], () => undefined)).flatMap(([command, words]) =>
  command.options
    .filter((option) => (option.required || option.optional) && option.parseArg !== repeated)
    .map((option) => [[...words, option.long].join(' '), words, option] as const),
);

test.each(OPTIONS_OF_ONE_VALUE)('%s given twice is exit code 2', async (_, words, option) => {
  const { long, flags, argChoices: [value = 'run'] = [] } = option;
  const arguments_ = [...words, `${long}=${value}`, `${long}=${value}`, 'a', 'b'];
  expect(await said('/', arguments_)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining(`option '${flags}' is given twice, and takes one value`),
  });
});

test('options of one value are found, and an option of the program counts before and behind its command', async () => {
  expect(OPTIONS_OF_ONE_VALUE.length).toBeGreaterThan(40);
  expect(await said('/', ['--url', 'http://a', 'run', 's', '--url', 'http://b'])).toMatchObject({ code: 2 });
});

test.each(commandsIn(createProgram(io, [], () => undefined)).map(([, words]) => words))(
  'help on %s %s %s is that of its --help',
  async (...words) => {
    const own = words.filter((word) => typeof word === 'string');
    const asked = await said('/', ['help', ...own]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: evalgate') });
    if (own[0] !== 'help') expect(asked.stdout).toBe((await said('/', [...own, '--help'])).stdout);
  },
);

test('help on an unknown command is exit code 2', async () => {
  for (const topic of [['imports'], ['import', 'cvs'], ['import', 'csv', 'x'], ['constructor']])
    expect(await said('/', ['help', ...topic])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`there is no help on '${topic.join(' ')}'`),
    });
});
