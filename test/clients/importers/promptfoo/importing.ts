import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Repository } from '../../../../clients/files/disk/repository.ts';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import type { SuiteDefinition } from '../../../../clients/files/resolve/definition.ts';
import { tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import type { Imported } from '../../../../clients/importers/imports/imported.ts';
import { judgeNamed } from '../../../../clients/importers/imports/judges.ts';
import type { ImportReport } from '../../../../clients/importers/imports/report.ts';
import { suiteText } from '../../../../clients/importers/imports/suiteText.ts';
import { importPromptfoo } from '../../../../clients/importers/promptfoo/import.ts';
import { type Files, makeFolder, NOW, readIn, writeFiles } from '../../files/repository.ts';

interface Read {
  readonly imported: Imported | undefined;
  readonly messages: readonly string[];
}

/** The messages for a config in a repository. */
export async function importIn(
  folder: string,
  config = 'promptfooconfig.yaml',
  judge?: string,
): Promise<Read> {
  const problems = new Problems();
  const options = { config, slug: 's', judge: judge === undefined ? undefined : judgeNamed(judge) };
  const imported = await importPromptfoo(new Repository(folder), options, problems);
  return { imported, messages: problems.sorted().map(problemLine) };
}

/** A config as a map, or as text. */
export const configOf = (config: unknown): Files => ({
  'promptfooconfig.yaml': typeof config === 'string' ? config : JSON.stringify(config, null, 2),
});

export interface Loaded {
  readonly definition: SuiteDefinition;
  readonly report: ImportReport;
  readonly text: string;
  readonly outputs: Imported['outputs'];
}

/** The suite of a config, as it is read again from its file. */
export async function loaded(config: unknown, files: Files = {}, judge = 'openai/gpt-5'): Promise<Loaded> {
  const folder = makeFolder({ ...configOf(config), ...files });
  const { imported, messages } = await importIn(folder, 'promptfooconfig.yaml', judge);
  if (imported === undefined) throw new Error(messages.join('\n'));
  writeFiles(folder, { 'evals/s.suite.yaml': suiteText(imported) });
  const again = await readIn(folder);
  const [definition] = again.suites;
  if (definition === undefined || again.messages.length > 0) throw new Error(again.messages.join('\n'));
  const text = readFileSync(path.join(folder, 'evals/s.suite.yaml'), 'utf8');
  return { definition, report: imported.report, text, outputs: imported.outputs };
}

/** A config whose one test has these assertions. */
export const asserting = (...assert: readonly unknown[]) => ({ tests: [{ vars: { q: 'Hi' }, assert }] });

/** Whether an output passes all cases of a suite, each with it. */
export async function passes({ definition }: Loaded, output: string): Promise<boolean> {
  const outputs = definition.cases.map(({ key }) => ({
    case: key,
    output,
    metadata: { latency_ms: 100, cost_usd: 1, finish_reason: 'stop' },
  }));
  const tried = await tryLocally(definition, { outputs }, { nowMs: NOW });
  if (tried.outcome !== 'verdict') throw new Error(JSON.stringify(tried));
  return tried.verdict.scores.every(({ passed }) => passed);
}
