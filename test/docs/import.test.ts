import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { MAPPINGS } from '../../clients/suites/promptfoo/map/mappings.ts';
import { said } from '../clients/cli/inProcess.ts';
import { writeFiles } from '../clients/suites/repository.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, readPage } from './pages.ts';

const page = readPage('docs/import.md');

test('the config of docs/import.md is imported as it says, into the files that it names', async () => {
  const [, name = '', config = ''] = /^```yaml file=(\S+)\n([\s\S]*?)^```$/m.exec(page.text) ?? [];
  const folder = temporaryFolder();
  writeFiles(folder, { [name]: config });
  const { code, stdout } = await said(folder, ['import', 'promptfoo', name, '--judge', 'openai/gpt-5']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: blocksOf(page, 'text')[0] });
  for (const file of [
    'evals/support/support.suite.yaml',
    'evals/support/import-report.md',
    'evalgate.yaml',
  ]) {
    expect(existsSync(path.join(folder, file))).toBe(true);
    expect(page.text).toContain(path.basename(file).replace('support.', '<suite>.'));
  }
});

test('docs/import.md has a row for every type that is mapped, and for no other', () => {
  const [, section = ''] = page.text.split('### What becomes of an assertion\n');
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const types = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, type]) => type),
  );
  expect(types.sort()).toEqual([...MAPPINGS.keys()].sort());
});
