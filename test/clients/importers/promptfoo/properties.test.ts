import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { readYaml } from '../../../../clients/files/read/readYaml.ts';
import type { SuiteDefinition } from '../../../../clients/files/resolve/definition.ts';
import { yamlText } from '../../../../clients/files/write/yamlText.ts';
import { readCsv } from '../../../../clients/importers/imports/csv.ts';
import { promptfooConfig } from '../../../../clients/importers/promptfoo/export/config.ts';
import { MAPPINGS } from '../../../../clients/importers/promptfoo/map/mappings.ts';
import { sized } from '../../../support/soak.ts';
import { makeFolder, readIn } from '../../files/repository.ts';
import { yamlName } from '../../files/yamlTexts.ts';
import { configOf, importIn, loaded } from './importing.ts';

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    yamlName,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 3 }),
  map: fc.dictionary(yamlName, tie('any'), { maxKeys: 3, noNullPrototype: true }),
})).map;

test('a value written as YAML is read as the same value, whatever it holds', () => {
  fc.assert(
    fc.property(value, (written) => {
      const problems = new Problems();
      const text = yamlText(written, 'Head');
      expect(readYaml('a.yaml', text, problems)?.value).toEqual(written);
      expect(problems.sorted()).toEqual([]);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]|##\[/u);
    }),
    { numRuns: sized(200, 1_000) },
  );
});

test('a CSV file has the fields that were written, each row with the line that it begins in', () => {
  const field = fc
    .oneof(yamlName, fc.constantFrom('', ',', '""', '\n,"', 'a"b'))
    .map((text) => text.replaceAll('\r', ''));
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { maxLength: 5 }), (rows) => {
      const lines = rows.map((fields) => fields.map((text) => `"${text.replaceAll('"', '""')}"`).join(','));
      const starts = lines.map(
        (_, index) => 1 + lines.slice(0, index).join('\n').split('\n').length * Number(index > 0),
      );
      const read = [...readCsv(lines.join('\n'))];
      expect(read).toEqual(rows.map((fields, index) => ({ line: starts[index], fields, isBroken: false })));
    }),
  );
});

const assertion = fc.record(
  {
    type: fc.oneof(
      fc.constantFrom(...MAPPINGS.keys()),
      fc.constantFrom(
        ...[...MAPPINGS.keys()].map((type) => `not-${type}`),
        'python',
        'similar',
        'toString',
        'assert-set',
      ),
      yamlName,
    ),
    value: fc.oneof(
      yamlName,
      fc.array(yamlName, { maxLength: 3 }),
      value,
      fc.integer(),
      fc.constantFrom(null, 'output.length < 5'),
    ),
    threshold: fc.oneof(
      fc.double({ noNaN: true, min: -1, max: 10 }).map((n) => Math.round(n * 8) / 8),
      yamlName,
    ),
    weight: fc.constantFrom(0, 1, 2, -1, 'x'),
    metric: yamlName,
  },
  { requiredKeys: ['type'] },
);

const isReadable = (config: unknown): boolean => !JSON.stringify(config).includes('file://');

test('every assertion is mapped, mapped with a difference or not mapped, and the mapped ones make a suite', async () => {
  const tests = fc.array(
    fc.record(
      {
        description: yamlName,
        vars: fc.dictionary(yamlName, fc.oneof(yamlName, fc.array(yamlName, { maxLength: 2 }), value), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        assert: fc.array(assertion, { maxLength: 4 }),
        providerOutput: yamlName,
      },
      { requiredKeys: ['assert'] },
    ),
    { maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(tests.filter(isReadable), async (made) => {
      const { definition, report, outputs } = await loaded({ tests: made });
      const { assertions, mapped, mapped_with_difference, not_mapped } = report;
      expect(mapped + mapped_with_difference + not_mapped).toBe(assertions);
      expect(definition.cases).toHaveLength(mapped + mapped_with_difference);
      expect(report.missing.reduce((sum, group) => sum + group.assertions, 0)).toBe(not_mapped);
      for (const group of [...report.missing, ...report.differences]) {
        expect(group.places.reduce((sum, place) => sum + place.assertions, 0)).toBe(group.assertions);
      }
      const known = new Set(definition.cases.map(({ key }) => key));
      for (const { case: keys } of outputs) for (const key of keys) expect(known).toContain(key);
    }),
    { numRuns: sized(20, 60) },
  );
});

const config = fc.oneof(
  fc.record({
    type: fc.constant('contains'),
    config: fc.record({
      values: fc.array(
        yamlName.filter((text) => text !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      mode: fc.constantFrom('all', 'any', 'none'),
      case_sensitive: fc.constantFrom(true, false),
    }),
  }),
  fc.record({ type: fc.constant('exact_match'), config: fc.constant({}) }),
  fc.record({
    type: fc.constant('regex'),
    config: fc.record({
      pattern: fc.constantFrom('a+', '^{{x}}', '\\d{2}', 'file://.'),
      should_match: fc.boolean(),
    }),
  }),
  fc.record({
    type: fc.constant('json_schema'),
    config: fc.constantFrom(
      { schema: {} },
      { schema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' } },
    ),
  }),
  fc.record({
    type: fc.constant('metric'),
    config: fc.record({ field: fc.constantFrom('latency_ms', 'cost_usd'), max: fc.nat() }),
  }),
  fc.record({
    type: fc.constant('llm_judge'),
    config: fc.record({
      _provider: fc.constantFrom('openai', 'anthropic'),
      model: fc.constantFrom('m', 'ft:a:b'),
      rubric: fc.constantFrom('Polite?', 'Says {{x}}?', '\\file://x'),
    }),
  }),
);

const suite = fc.array(fc.record({ scorer: config, expected: yamlName, weight: fc.constantFrom(1, 2) }), {
  minLength: 1,
  maxLength: 4,
});

/** What a case means, whatever its key and that of its scorer. */
const normalizeDefinition = ({ cases, scorers }: SuiteDefinition) =>
  cases.map(({ scorer, input, expected, threshold, weight }) => {
    const { type, config: used } = scorers.get(scorer)!;
    const plain = type === 'contains' ? { case_sensitive: true, ...(used as object) } : used;
    return {
      type,
      config: plain,
      input,
      threshold,
      weight,
      expected: type === 'exact_match' ? expected : null,
    };
  });

test('cases exported to promptfoo are imported as the same cases', async () => {
  await fc.assert(
    fc.asyncProperty(suite, async (parts) => {
      const text = yamlText(
        {
          version: 1,
          suite: 's',
          scorers: Object.fromEntries(parts.map(({ scorer }, index) => [`s${index}`, withEscapes(scorer)])),
          cases: parts.map(({ expected, weight }, index) => ({
            key: `c${index}`,
            input: { q: ['x', 'y'], n: index },
            scorer: `s${index}`,
            weight,
            expected: /^\\*file:\/\//.test(expected) ? `\\${expected}` : expected,
          })),
        },
        'Suite',
      );
      const { suites, messages } = await readIn(makeFolder({ 'evals/s.suite.yaml': text }));
      expect(messages).toEqual([]);
      const [definition] = suites;
      const exported = promptfooConfig(definition!);
      const left = new Set(exported.left_out.map(({ key }) => key));
      for (const { message } of exported.left_out)
        expect(message).toBe('holds {%, which promptfoo takes for a template');
      const kept = { ...definition!, cases: definition!.cases.filter(({ key }) => !left.has(key)) };
      const { imported, messages: again } = await importIn(makeFolder(configOf(exported.text)));
      expect(again).toEqual([]);
      expect(imported?.report.not_mapped).toBe(0);
      if (kept.cases.length > 0)
        expect(normalizeDefinition((await loaded(exported.text)).definition)).toEqual(
          normalizeDefinition(kept),
        );
    }),
    { numRuns: sized(20, 60) },
  );
});

const withEscapes = (scorer: { readonly config: object }) => {
  const { rubric } = scorer.config as { readonly rubric?: string };
  return rubric?.startsWith('\\file://')
    ? { ...scorer, config: { ...scorer.config, rubric: `\\${rubric}` } }
    : scorer;
};
