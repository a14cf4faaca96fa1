import fc from 'fast-check';
import type { ScorerType } from '../../../../shared/contracts/base/scorerTypes.ts';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import type { CompleteSuite } from '../../../../shared/domain/definitions/ports.ts';
import type { StoredScorer, StoredSuite } from '../../../../shared/domain/suites/stored.ts';
import { documentDigest } from '../../../../shared/scoring/digest/documents.ts';
import { withDefaults } from '../../../../shared/scoring/registry.ts';
import { NOW } from '../../../clients/files/repository.ts';

const AT = '2026-05-05T10:00:00.000Z';
const MADE = { created_at: AT, updated_at: AT };
const FIRST = { version: 1, ...MADE };
const SUITE_ID = '7d444840-9dc0-41d1-b245-5ffdce74fad2';
const PROJECT_ID = '1f0c61b8-3f6c-4d8e-9b0a-0a4f5b7c2d11';

const anyShare = fc.constantFrom(0, 0.1, 0.5, 1);
/** Names of what every object has are keys like any other. */
const anyKey = fc.oneof(fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,8}$/), fc.constant('constructor'));
const anyName = fc.string({ maxLength: 20 }).map((text) => `n${text.replaceAll(/\p{Cc}/gu, '')}`.trim());
const anyText = fc.oneof(
  fc.string(),
  fc.constantFrom(
    'file://a.txt',
    '\\file://a.txt',
    '\\\\file://',
    'no',
    '2026-01-01',
    'two\nlines\u2028',
    '\u007f',
  ),
);
const anyTags = fc.uniqueArray(fc.constantFrom('safety', 'tone', 'a-b'), { maxLength: 3 });

const typed = (type: ScorerType, config: fc.Arbitrary<object>) =>
  config.map((one) => ({ type, config: one }));
const sometimes = <T>(fields: Record<string, fc.Arbitrary<T>>, requiredKeys: string[] = []) =>
  fc.record(fields, { requiredKeys });

const anyTyped = fc.oneof(
  typed('exact_match', sometimes({ case_sensitive: fc.boolean() })),
  typed(
    'regex',
    sometimes<unknown>({ pattern: fc.constantFrom('a', '\\d+'), should_match: fc.boolean() }, ['pattern']),
  ),
  typed(
    'contains',
    sometimes<unknown>(
      {
        values: fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }),
        mode: fc.constantFrom('all', 'any', 'none'),
        case_sensitive: fc.boolean(),
      },
      ['values'],
    ),
  ),
  typed('json_schema', fc.constantFrom({ schema: {} }, { schema: { type: 'object' }, extract: 'fenced' })),
  typed('json_path', fc.constant({ assertions: [{ path: '$.a', op: 'exists' }], partial: true })),
  typed('similarity', fc.constant({ metric: 'rouge_l', normalize_whitespace: false })),
  typed('metric', fc.constant({ field: 'cost_usd', max: 0.5 })),
  typed(
    'llm_judge',
    anyText.map((text) => ({ rubric: `${text}r`, _provider: 'openai' })),
  ),
);

/** Whatever their config says. */
const TWO_SIDED = ['exact_match', 'json_schema'];

const anyScorer: fc.Arbitrary<StoredScorer> = fc
  .record({ typed: anyTyped, name: anyName, key: anyKey, dual: fc.boolean(), recall: fc.option(anyShare) })
  .map(({ typed: { type, config }, name, key, dual, recall }) => {
    const dual_sided = dual && TWO_SIDED.includes(type);
    return {
      id: documentDigest(key).slice(0, 32),
      project_id: PROJECT_ID,
      project_slug: 'bot',
      key,
      name,
      type,
      config: withDefaults({ type, config }) as StoredScorer['config'],
      dual_sided,
      precision_threshold: null,
      recall_threshold: dual_sided ? recall : null,
      ...FIRST,
    };
  });

const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });

const anyCase = (scorers: readonly StoredScorer[]): fc.Arbitrary<EvalCase> =>
  fc
    .record({
      key: anyKey,
      named: fc.option(anyName),
      description: fc.option(anyText),
      input: anyObject,
      expected: fc.oneof(anyText, fc.jsonValue({ maxDepth: 2 })),
      examples: fc.uniqueArray(anyText, { maxLength: 3 }).map(([one, ...others]) => ({
        pass: one === undefined ? [] : [one],
        fail: others,
      })),
      scorer_id: fc.constantFrom(...scorers.map(({ id }) => id)),
      threshold: anyShare,
      weight: fc.constantFrom(0, 0.5, 1, 1_000_000),
      is_active: fc.boolean(),
      tags: anyTags,
      must_pass: fc.boolean(),
      advised: fc.boolean(),
      sample_count: fc.integer({ min: 1, max: 5 }),
      sample_pass_rate: anyShare,
    })
    .map(({ named, advised, ...fields }) => ({
      ...fields,
      id: documentDigest(fields.key).slice(0, 32),
      suite_id: SUITE_ID,
      sort_order: 0,
      ...MADE,
      name: named ?? fields.key,
      advisory:
        advised && !fields.must_pass
          ? {
              owner: 'Ada',
              reason: 'It is being revised.',
              expires_at: new Date(NOW + 86_400_000).toISOString(),
            }
          : null,
    }));

const anySuite: fc.Arbitrary<StoredSuite> = fc
  .record({
    name: fc.oneof(fc.constant('s'), anyName),
    description: fc.option(anyText),
    pass_threshold: anyShare,
    gates: fc.record(
      {
        min_judged_cases: fc.integer({ min: 1, max: 9 }),
        min_lower_bound: anyShare,
        tags: fc.subarray([{ tag: 'safety', pass_threshold: 0.5, min_judged_cases: 2 }]),
        max_newly_failing: fc.nat(2),
        regression: fc.record({ alpha: fc.constantFrom(0.01, 0.05), min_drop: anyShare }),
        min_comparable: fc.constantFrom(0.5, 0.8, 1),
      },
      { requiredKeys: [] },
    ),
    keep_outputs: fc.constantFrom('failed' as const, 'all' as const, 'none' as const),
    show_expected: fc.boolean(),
    show_inputs: fc.boolean(),
    show_results: fc.boolean(),
  })
  .map((fields) => ({
    ...fields,
    id: SUITE_ID,
    project_id: PROJECT_ID,
    project_slug: 'bot',
    slug: 's',
    ...FIRST,
  }));

const withDigests = (evalCase: EvalCase) => ({
  ...evalCase,
  input_digest: documentDigest(evalCase.input),
  expected_digest: documentDigest(evalCase.expected),
});

/** As the service may have it; every scorer is used. */
export const anyCompleteSuite: fc.Arbitrary<CompleteSuite> = fc
  .uniqueArray(anyScorer, { minLength: 1, maxLength: 3, selector: ({ key }) => key })
  .chain((scorers) =>
    fc
      .tuple(
        anySuite,
        fc.uniqueArray(anyCase(scorers), { minLength: 1, maxLength: 4, selector: ({ key }) => key }),
      )
      .map(([suite, cases]) => {
        const used = scorers.filter(({ id }) => cases.some(({ scorer_id }) => scorer_id === id));
        return {
          suite,
          scorers: new Map(used.map((scorer) => [scorer.id, scorer])),
          cases: cases.map(withDigests),
        };
      }),
  );
