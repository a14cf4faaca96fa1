import type { CaseFields } from '../../../files/resolve/cases.ts';
import type { SuiteDefinition } from '../../../files/resolve/definition.ts';
import { yamlText } from '../../../files/write/yamlText.ts';
import { isTemplate } from '../read/templates.ts';
import type { Fields } from '../read/values.ts';
import { type Exported, exportedCase } from './assertions.ts';

interface ExportNote {
  /** Of a case; empty for the suite. */
  readonly key: string;
  readonly message: string;
}

export interface ExportedConfig {
  readonly text: string;
  readonly cases: number;
  readonly left_out: readonly ExportNote[];
  readonly differences: readonly ExportNote[];
}

const HEAD = 'Exported from a suite of evalgate. Add `prompts` and `providers`.';

/** A suite as a config of promptfoo, one test for each case. */
export function promptfooConfig({ suite, scorers, cases }: SuiteDefinition): ExportedConfig {
  const exportedCases = cases.map((fields) => ({ fields, exported: exportedOf(fields, scorers) }));
  const tests = exportedCases.flatMap(({ fields, exported }) =>
    'why' in exported ? [] : [testOf(fields, exported.assertion)],
  );
  const hasGates = suite.pass_threshold !== 1 || Object.keys(suite.gates).length > 0;
  return {
    text: yamlText({ description: suite.name, tests }, HEAD),
    cases: tests.length,
    left_out: exportedCases.flatMap(({ fields: { key }, exported }) =>
      'why' in exported ? [{ key, message: exported.why }] : [],
    ),
    differences: [
      ...(hasGates
        ? [{ key: '', message: 'promptfoo has no pass_threshold and no gates: every test has to pass' }]
        : []),
      ...exportedCases.flatMap(({ fields: { key }, exported }) =>
        'why' in exported ? [] : (exported.differences ?? []).map((message) => ({ key, message })),
      ),
    ],
  };
}

function exportedOf(fields: CaseFields, scorers: SuiteDefinition['scorers']): Exported {
  const scorer = scorers.get(fields.scorer);
  if (scorer === undefined) return { why: 'has no scorer' };
  return isRendered(fields.input)
    ? { why: 'its input holds a template or a file://, which promptfoo would fill in' }
    : exportedCase(fields, scorer);
}

/** Whether promptfoo would make something else of it. */
function isRendered(value: unknown): boolean {
  if (typeof value === 'string') return isTemplate(value) || value.startsWith('file://');
  return typeof value === 'object' && value !== null && Object.values(value).some(isRendered);
}

const testOf = ({ name, input }: CaseFields, assertion: Fields): Fields => ({
  description: name,
  vars: input,
  ...(Object.values(input).some(Array.isArray) ? { options: { disableVarExpansion: true } } : {}),
  assert: [assertion],
});
