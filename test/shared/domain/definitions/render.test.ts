import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SuiteDefinition } from '../../../../clients/files/resolve/definition.ts';
import { caseSchema } from '../../../../shared/contracts/cases.ts';
import {
  type Definition,
  definitionSchema,
  sentDefinitionSchema,
} from '../../../../shared/contracts/definitions.ts';
import { scorerSchema } from '../../../../shared/contracts/scorers.ts';
import { suiteSchema } from '../../../../shared/contracts/suites.ts';
import type { CompleteSuite } from '../../../../shared/domain/definitions/ports.ts';
import { renderDefinition } from '../../../../shared/domain/definitions/render.ts';
import { documentDigest } from '../../../../shared/scoring/digest/documents.ts';
import { makeRepository, readIn, writeFiles } from '../../../clients/files/repository.ts';
import '../../../support/seed.ts';
import { sized } from '../../../support/soak.ts';
import { anyCompleteSuite } from './completeSuites.ts';

/** In a file, a text that begins like the name of one is escaped. */
const escaped = (value: unknown): unknown =>
  typeof value === 'string' && /^\\*file:\/\//.test(value) ? `\\${value}` : value;

/** As a file may have it: JSON is YAML, but for characters that YAML wants escaped. */
function fileOf({ scorers, cases, ...suite }: Definition): string {
  const filed = {
    ...suite,
    scorers: Object.fromEntries(
      Object.entries(scorers).map(([key, { config, ...scorer }]) => [
        key,
        { ...scorer, config: 'rubric' in config ? { ...config, rubric: escaped(config.rubric) } : config },
      ]),
    ),
    cases: cases.map((one) => ('expected' in one ? { ...one, expected: escaped(one.expected) } : one)),
  };
  return JSON.stringify(filed).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What files mean, as the service would have it. */
function storedAs({ suite, scorers, cases }: SuiteDefinition): CompleteSuite {
  const idOf = (key: string): string => `id of ${key}`;
  return {
    suite,
    scorers: new Map([...scorers].map(([key, scorer]) => [idOf(key), { ...scorer, id: idOf(key) }])),
    cases: cases.map(({ scorer, ...fields }) => ({ ...fields, scorer_id: idOf(scorer) })),
  } as unknown as CompleteSuite;
}

describe('the definition of any suite', () => {
  test('means the same suite when its file is read', async () => {
    const folder = makeRepository();
    await fc.assert(
      fc.asyncProperty(anyCompleteSuite, async (whole) => {
        const definition = renderDefinition(whole);
        writeFiles(folder, { [path.join('evals', 's.suite.yaml')]: fileOf(definition) });
        const { suites, messages } = await readIn(folder);
        expect(messages.filter((line) => !line.includes(' warning: '))).toEqual([]);
        expect(suites.map((read) => renderDefinition(storedAs(read)))).toEqual([definition]);
      }),
      { numRuns: sized(30, 100) },
    );
  });

  test('is what may be sent, and nothing of it is lost in the answer', () => {
    fc.assert(
      fc.property(anyCompleteSuite, (whole) => {
        const definition = renderDefinition(whole);
        expect(definitionSchema.parse(definition)).toEqual(definition);
        const { success, error } = sentDefinitionSchema.safeParse(definition);
        expect({ success, error }).toEqual({ success: true });
      }),
    );
  });

  test('leaves out what has the default of the API, in configs, too', () => {
    fc.assert(
      fc.property(anyCompleteSuite, (whole) => {
        const { version, suite, scorers, cases, ...others } = renderDefinition(whole);
        const filled = sentDefinitionSchema.parse({ version, suite });
        for (const [field, value] of Object.entries(others)) {
          expect(value).not.toEqual(field === 'name' ? suite : filled[field as keyof typeof filled]);
        }
        for (const { config } of Object.values(scorers)) {
          expect(config).not.toMatchObject({ mode: 'all' });
          expect(config).not.toMatchObject({ should_match: true });
        }
        for (const one of cases) {
          const parsed = sentDefinitionSchema.parse({
            version,
            suite,
            cases: [{ key: one.key, scorer: 'x', input: {} }],
          }).cases[0]!;
          for (const [field, value] of Object.entries(one)) {
            if (['key', 'scorer', 'input'].includes(field)) continue;
            expect(value).not.toEqual(field === 'name' ? one.key : parsed[field as keyof typeof parsed]);
          }
        }
      }),
    );
  });
});

const without = (shape: object, ...names: readonly string[]): string[] =>
  Object.keys(shape).filter((name) => !['created_at', 'updated_at', ...names].includes(name));

/** Other values than those below. */
const SUITE_EDITS: Readonly<Record<string, unknown>> = {
  name: 'other',
  slug: 'other',
  description: 'other',
  pass_threshold: 0.4,
  gates: { min_judged_cases: 7 },
  keep_outputs: 'none',
  show_expected: true,
  show_inputs: false,
  show_results: false,
};
const SCORER_EDITS: Readonly<Record<string, unknown>> = {
  key: 'other',
  name: 'other',
  type: 'similarity',
  config: { case_sensitive: false },
  dual_sided: true,
  precision_threshold: 0.4,
  recall_threshold: 0.4,
};
const CASE_EDITS: Readonly<Record<string, unknown>> = {
  key: 'other',
  name: 'other',
  description: 'other',
  input: { a: 1 },
  expected: 'other',
  examples: { pass: ['other'], fail: [] },
  scorer_id: 'two',
  threshold: 0.4,
  weight: 7,
  is_active: false,
  tags: ['tone', 'safety'],
  must_pass: true,
  advisory: { owner: 'a', reason: 'b', expires_at: 'c' },
  sample_count: 7,
  sample_pass_rate: 0.4,
};

describe('its digest changes with', () => {
  const scorer = { id: 'one', key: 'one', name: 'S', type: 'exact_match', config: { case_sensitive: true } };
  const sides = { dual_sided: false, precision_threshold: null, recall_threshold: null };
  const evalCase = {
    id: 'a',
    key: 'a',
    name: 'A',
    description: null,
    input: {},
    expected: null,
    scorer_id: 'one',
    threshold: 0.5,
    weight: 1,
    is_active: true,
    tags: ['safety', 'tone'],
    must_pass: false,
    advisory: null,
    sample_count: 1,
    sample_pass_rate: 1,
  };
  const suite = {
    name: 'S',
    slug: 's',
    description: null,
    pass_threshold: 1,
    gates: {},
    keep_outputs: 'failed',
    show_expected: false,
    show_inputs: true,
    show_results: true,
  };
  const digest = (
    edits: { suite?: object; scorer?: object; evalCase?: object; isReversed?: boolean } = {},
  ) => {
    const cases = [
      { ...evalCase, ...edits.evalCase },
      { ...evalCase, key: 'b', scorer_id: 'two' },
    ];
    return documentDigest(
      renderDefinition({
        suite: { ...suite, ...edits.suite },
        scorers: new Map([
          ['one', { ...scorer, ...sides, ...edits.scorer }],
          ['two', { ...scorer, ...sides, id: 'two', key: 'two' }],
        ]),
        cases: edits.isReversed ? cases.toReversed() : cases,
      } as unknown as CompleteSuite),
    );
  };

  test.each(without(suiteSchema.shape, 'id', 'project_id', 'version'))("the suite's %s", (field) => {
    expect(digest({ suite: { [field]: SUITE_EDITS[field] } })).not.toBe(digest());
  });

  test.each(without(scorerSchema.shape, 'id', 'project_id', 'version'))("a scorer's %s", (field) => {
    expect(digest({ scorer: { [field]: SCORER_EDITS[field] } })).not.toBe(digest());
  });

  test.each(without(caseSchema.shape, 'id', 'suite_id', 'sort_order'))("a case's %s", (field) => {
    expect(digest({ evalCase: { [field]: CASE_EDITS[field] } })).not.toBe(digest());
  });

  test('the order of the cases', () => {
    expect(digest({ isReversed: true })).not.toBe(digest());
  });
});
