import { expect, test } from '@jest/globals';
import { PAGE_FILES } from '../../clients/pages/files.ts';
import { said } from '../clients/cli/inProcess.ts';
import { readIn, writeFiles } from '../clients/suites/repository.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, readPage } from './pages.ts';

const page = readPage('docs/files.md');
const files = Object.fromEntries(
  [...page.text.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);

test('the files of docs/files.md are read without a problem, and tried as it says', async () => {
  const folder = temporaryFolder();
  writeFiles(folder, files);
  const { suites, messages } = await readIn(folder);
  expect({ messages, cases: suites[0]?.cases.length }).toEqual({ messages: [], cases: 4 });
  const [printed] = blocksOf(page, 'text');
  expect(await said(folder, ['try', 'returns', '--outputs', 'answers.jsonl'])).toEqual({
    ...{ code: 3, stdout: printed, stderr: '' },
  });
});

test('the mistake of docs/files.md is reported as it says', async () => {
  const folder = temporaryFolder();
  const suite = files['evals/returns.suite.yaml']!;
  writeFiles(folder, {
    ...files,
    'evals/returns.suite.yaml': suite.replace('pass_threshold: 0.6', 'pass_treshold: 0.6'),
  });
  const { messages } = await readIn(folder);
  expect(blocksOf(page, 'text')[1]?.trim().split('\n')).toEqual(messages);
});

test('docs/files.md names the schemas that are served', () => {
  const served = PAGE_FILES.map(({ path }) => path).filter((path) => path.startsWith('/schema/'));
  expect(served).toHaveLength(3);
  for (const path of served) expect(page.text).toContain(path);
});
