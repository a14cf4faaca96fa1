import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { MAPPINGS } from '../../clients/importers/promptfoo/map/mappings.ts';
import { PAGE_FILES } from '../../clients/pages/files.ts';
import { said } from '../clients/cli/inProcess.ts';
import { readIn, writeFiles } from '../clients/files/repository.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, readPage } from './pages.ts';

const filesPage = readPage('docs/files.md');
const files = Object.fromEntries(
  [...filesPage.text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);

test('the files of docs/files.md are read without a problem, and tried as it shows', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const { suites, messages } = await readIn(folder);
  expect({ messages, cases: suites[0]?.cases.length }).toEqual({ messages: [], cases: 4 });
  const [printed] = blocksOf(filesPage, 'text');
  expect(await said(folder, ['try', 'returns', '--outputs', 'answers.jsonl'])).toEqual({
    code: 3,
    stdout: printed,
    stderr: '',
  });
});

test('the mistake of docs/files.md is reported as it shows', async () => {
  const folder = temporaryFolder();
  const suite = files['evals/returns.suite.yaml']!;
  writeFiles(folder, {
    ...files,
    'evals/returns.suite.yaml': suite.replace('pass_threshold: 0.6', 'pass_treshold: 0.6'),
  });
  const { messages } = await readIn(folder);
  expect(blocksOf(filesPage, 'text')[1]?.trim().split('\n')).toEqual(messages);
});

test('docs/files.md names the schemas that are served', () => {
  const served = PAGE_FILES.map(({ path }) => path).filter((path) => path.startsWith('/schema/'));
  expect(served).toHaveLength(3);
  for (const path of served) expect(filesPage.text).toContain(path);
});

const importPage = readPage('docs/import.md');

test('the config of docs/import.md is imported as it shows, into the files that it names', async () => {
  const [, name = '', config = ''] = /^```yaml file=(\S+)\n([\s\S]*?)^```$/m.exec(importPage.text) ?? [];
  const folder = temporaryFolder();
  writeFiles(folder, { [name]: config });
  const { code, stdout } = await said(folder, ['import', 'promptfoo', name, '--judge', 'openai/gpt-5']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: blocksOf(importPage, 'text')[0] });
  for (const file of [
    'evals/support/support.suite.yaml',
    'evals/support/import-report.md',
    'evalgate.yaml',
  ]) {
    expect(existsSync(path.join(folder, file))).toBe(true);
    expect(importPage.text).toContain(path.basename(file).replace('support.', '<suite>.'));
  }
});

test("the warning of the README's data set is printed as it shows, and gone with its cure", async () => {
  const folder = temporaryFolder();
  writeFiles(folder, { 'faq.csv': 'q,a\nDo you ship at weekends?,"No, we do not ship at weekends."\n' });
  const table = ['--question', 'q', '--expected', 'a', '--scorer', 'similarity'];
  const imported = await said(folder, ['import', 'csv', 'faq.csv', ...table]);
  const [warning = ''] = blocksOf(readPage('README.md'), 'text').slice(-1);
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining(warning) });
  const file = path.join(folder, 'evals/faq/faq.suite.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('threshold: 0.8', 'threshold: 0.86'));
  expect(await said(folder, ['validate'])).toMatchObject({ code: 0, stderr: '' });
});

test('docs/import.md has a row for every type that is mapped, and for no other', () => {
  const [, section = ''] = importPage.text.split('### What becomes of an assertion\n');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const types = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, type]) => type),
  );
  expect(types.sort()).toEqual([...MAPPINGS.keys()].sort());
});

const cliPage = readPage('docs/cli.md');

test('docs/cli.md names every command, and has the exit codes of the program', async () => {
  const { stdout: help } = await said(temporaryFolder(), ['--help']);
  const [, list = ''] = help.split('Commands:\n');
  const commands = [...(list.split('\n\n')[0] ?? '').matchAll(/^ {2}(\S[^ ,]*)/gm)].map(([, name]) => name);
  expect(commands).toContain('run');
  for (const command of commands) expect(cliPage.text).toContain(`\`${command}\``);
  const { stdout: codes } = await said(temporaryFolder(), ['help', 'exit-codes']);
  const firsts = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, code]) => code);
  expect(firsts(cliPage.text, /^\| (\d+) +\|/gm)).toEqual(firsts(codes, /^ {2}(\d+) /gm));
});
