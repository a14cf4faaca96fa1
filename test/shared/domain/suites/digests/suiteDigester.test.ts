import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scorer } from '../../../../../shared/contracts/scorers.ts';
import type { NameJudge } from '../../../../../shared/domain/suites/digests/judgeIdentity.ts';
import { digestOf } from '../../../../../shared/domain/suites/digests/suiteDigester.ts';
import { documentDigest } from '../../../../../shared/scoring/digest/documents.ts';

type Bar = Parameters<typeof digestOf>[0];
type Case = Bar['cases'][number];

const judge: NameJudge = (_, model) => ({
  provider: 'openai',
  model: model ?? 'by default',
  prompt_version: 'p1',
});

const share = fc.double({ min: 0, max: 0.9, noNaN: true });
const AT = '2026-05-05T10:00:00.000Z';
const ofScorer = {
  project_id: 'a project',
  key: 'a-key',
  name: 'A scorer',
  version: 1,
  created_at: AT,
  updated_at: AT,
};

const anyConfig = fc.oneof(
  fc.record({
    type: fc.constant('regex' as const),
    config: fc.record({ pattern: fc.string(), flags: fc.constant('i') }),
  }),
  fc.record({
    type: fc.constant('llm_judge' as const),
    config: fc.record({ rubric: fc.string({ minLength: 1 }), _provider: fc.constant('openai') }),
  }),
);
const anyScorer: fc.Arbitrary<Scorer> = fc
  .record({
    id: fc.uuid(),
    dual_sided: fc.constant(true),
    precision_threshold: fc.option(share),
    recall_threshold: fc.option(share),
  })
  .chain((fields) => anyConfig.map((typed) => ({ ...ofScorer, ...fields, ...typed }) as Scorer));

const digest = fc.string().map(documentDigest);
const anyCase: fc.Arbitrary<Case> = fc.record({
  id: fc.uuid(),
  key: fc.string(),
  input_digest: digest,
  expected_digest: digest,
  threshold: share,
  weight: fc.nat(1_000),
  must_pass: fc.boolean(),
  tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 }),
  advisory_until: fc.option(fc.constant('2027-01-31T00:00:00Z')),
  sample_count: fc.integer({ min: 1, max: 9 }),
  sample_pass_rate: share,
  scorer: anyScorer,
});

const anyBar: fc.Arbitrary<Bar> = fc.record({
  passThreshold: share,
  gates: fc.record({ min_judged_cases: fc.nat(9) }, { requiredKeys: [] }),
  cases: fc.uniqueArray(anyCase, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
});

/** Of each edit. */
const RUNS = { numRuns: 30 };

const suiteDigestOf = (bar: Bar, nameJudge = judge): string => digestOf(bar, nameJudge);

type Change = (bar: Bar) => Bar;
const ofFirst =
  (change: (first: Case) => Partial<Case>): Change =>
  (bar) => ({
    ...bar,
    cases: bar.cases.map((one, index) => (index === 0 ? { ...one, ...change(one) } : one)),
  });
const ofItsScorer = (change: (scorer: Scorer) => Partial<Scorer>): Change =>
  ofFirst(({ scorer }) => ({
    scorer: scorer && { ...scorer, ...change(scorer as Scorer), id: 'another' },
  }));
/** Of any scorer: the type knows no common field. */
const config = (scorer: Scorer, fields: object) =>
  ({ config: { ...scorer.config, ...fields } }) as Partial<Scorer>;

const DECIDE: readonly (readonly [string, Change])[] = [
  ['the pass threshold', (bar) => ({ ...bar, passThreshold: bar.passThreshold + 0.1 })],
  ['a gate', (bar) => ({ ...bar, gates: { ...bar.gates, min_lower_bound: 0.5 } })],
  [
    'what a regression is',
    (bar) => ({ ...bar, gates: { ...bar.gates, regression: { alpha: 0.05, min_drop: 0.02 } } }),
  ],
  ['how much has to be comparable', (bar) => ({ ...bar, gates: { ...bar.gates, min_comparable: 0.8 } })],
  ['a case less', (bar) => ({ ...bar, cases: bar.cases.slice(1) })],
  ['its key', ofFirst(({ key }) => ({ key: `${key}-2` }))],
  ['its input', ofFirst(({ input_digest }) => ({ input_digest: documentDigest(input_digest) }))],
  ['its expected', ofFirst(({ expected_digest }) => ({ expected_digest: documentDigest(expected_digest) }))],
  ['its threshold', ofFirst(({ threshold }) => ({ threshold: threshold + 0.1 }))],
  ['its weight', ofFirst(({ weight }) => ({ weight: weight + 0.5 }))],
  ['must_pass', ofFirst(({ must_pass }) => ({ must_pass: !must_pass }))],
  ['a tag', ofFirst(({ tags }) => ({ tags: [...tags, 'another'] }))],
  ['an advisory', ofFirst(({ advisory_until }) => ({ advisory_until: `${advisory_until}+1` }))],
  ['its number of samples', ofFirst(({ sample_count }) => ({ sample_count: sample_count + 1 }))],
  ['how many of them must pass', ofFirst((one) => ({ sample_pass_rate: one.sample_pass_rate + 0.1 }))],
  ['its scorer, deleted', ofFirst(() => ({ scorer: null }))],
  ['the type of its scorer', ofItsScorer(() => ({ type: 'exact_match', config: {} }))],
  ['the config of its scorer', ofItsScorer((scorer) => config(scorer, { model: 'm', flags: 'g' }))],
  ['the sides of its scorer', ofItsScorer(() => ({ dual_sided: false }))],
  [
    'precision_threshold',
    ofItsScorer(({ precision_threshold: p }) => ({ precision_threshold: (p ?? 0) + 0.1 })),
  ],
  ['recall_threshold', ofItsScorer(({ recall_threshold: r }) => ({ recall_threshold: (r ?? 0) + 0.1 }))],
];

test.each(DECIDE)('%s decides: the digest changes, and comes back when it is undone', (_, change) => {
  fc.assert(
    fc.property(anyBar, (bar) => {
      expect(suiteDigestOf(change(bar))).not.toBe(suiteDigestOf(bar));
      expect(suiteDigestOf(structuredClone(bar))).toBe(suiteDigestOf(bar));
    }),
    RUNS,
  );
});

const reversed = (fields: object) => Object.fromEntries(Object.entries(fields).toReversed());

test.each<readonly [string, Change]>([
  ['the order of cases', (bar) => ({ ...bar, cases: bar.cases.toReversed() })],
  [
    'the order of fields',
    (bar) => ({ ...bar, gates: reversed(bar.gates), cases: bar.cases.map((one) => reversed(one) as never) }),
  ],
  ['the order of tags', ofFirst(({ tags }) => ({ tags: tags.toReversed() }))],
  ['a gate that is null', (bar) => ({ ...bar, gates: { ...bar.gates, max_newly_failing: null as never } })],
  [
    'names of cases',
    ofFirst(() => ({ name: 'Renamed', description: 'new', updated_at: AT }) as Partial<Case>),
  ],
  ['names and ids of scorers', ofItsScorer(() => ({ name: 'Renamed', key: 'renamed', updated_at: '2027' }))],
  ['the order of a config', ofItsScorer(({ config }) => ({ config: reversed(config) as never }))],
])('%s does not decide: the digest stays', (_, change) => {
  fc.assert(
    fc.property(anyBar, (bar) => expect(suiteDigestOf(change(bar))).toBe(suiteDigestOf(bar))),
    RUNS,
  );
});

test('two edits that decide otherwise have different digests', () => {
  const two = fc.uniqueArray(fc.constantFrom(...DECIDE), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(anyBar, two, (bar, [one, other]) => {
      const [after, otherwise] = [one?.[1](bar), other?.[1](bar)];
      expect(after && suiteDigestOf(after)).not.toBe(otherwise && suiteDigestOf(otherwise));
    }),
  );
});

describe('the judge of a deployment', () => {
  const suite = (scorer: object): Bar => ({
    passThreshold: 1,
    gates: {},
    cases: fc.sample(anyCase, 1).map((one) => ({
      ...one,
      scorer: { ...ofScorer, id: 'a scorer', dual_sided: false, ...scorer } as Scorer,
    })),
  });
  const others: readonly (readonly [string, NameJudge])[] = [
    ['default model', (_, model) => ({ ...judge('openai', model), model: model ?? 'another' })],
    ['prompt', (_, model) => ({ ...judge('openai', model), prompt_version: 'p2' })],
  ];
  const rubric = { rubric: 'It helps.', _provider: 'openai' };

  test.each(others)('another %s changes the digest of suites that rely on it', (_, other) => {
    const relying = suite({ type: 'llm_judge', config: rubric });
    expect(suiteDigestOf(relying, other)).not.toBe(suiteDigestOf(relying));
  });

  test('another default model does not concern a scorer that names one', () => {
    const naming = suite({ type: 'llm_judge', config: { ...rubric, model: 'named' } });
    expect(suiteDigestOf(naming, others[0]?.[1])).toBe(suiteDigestOf(naming));
  });

  test.each(others)('another %s does not concern suites without judges', (_, other) => {
    const plain = suite({ type: 'exact_match', config: {} });
    expect(suiteDigestOf(plain, other)).toBe(suiteDigestOf(plain));
  });

  test('a config that leaves a default out has the digest of one that states it', () => {
    const [evalCase] = fc.sample(anyCase, 1);
    const stored = (config: object) => {
      const scorer = { ...ofScorer, id: 's', dual_sided: false, type: 'regex', config } as unknown as Scorer;
      return suiteDigestOf({ passThreshold: 1, gates: {}, cases: evalCase ? [{ ...evalCase, scorer }] : [] });
    };
    expect(stored({ pattern: 'a' })).toBe(stored({ pattern: 'a', flags: '', should_match: true }));
  });
});
