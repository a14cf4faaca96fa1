import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planOf } from '../../../../../shared/domain/definitions/plan/plan.ts';
import type {
  CaseFields,
  CompleteDefinition,
  SuiteFields,
} from '../../../../../shared/domain/definitions/plan/types.ts';
import { isAsStrict } from '../../../../../shared/domain/suites/access/asStrict.ts';
import { loadComparison } from '../../../../../shared/scoring/verdict/baseline/loaded.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';
import {
  type Accepted,
  aCase,
  anyComparing,
  anyEdit,
  anyFurtherEdit,
  anyOutputs,
  aScorer,
  define,
  type Edit,
  isCleared,
  MOMENTS,
  NOW_MS,
  type Outputs,
  type Samples,
} from './model.ts';

const ASKED = { prune: true, isFirst: false, nowMs: NOW_MS, uses: new Map<string, string[]>() };
const plan = (before: CompleteDefinition, after: CompleteDefinition, asked: Partial<typeof ASKED> = {}) =>
  planOf(before, after, { ...ASKED, ...asked });

/** Fields of a case of which a change may make it stricter, and nothing else. */
const anyStricter = fc.record(
  { threshold: fc.constantFrom(0.5, 0.9, 1), must_pass: fc.boolean(), name: fc.constant('Renamed') },
  { requiredKeys: [] },
);

/** As it is in force after the plan. */
const inForce = ({ before, after, prune }: Edit): CompleteDefinition => {
  const keys = new Set(after.cases.map(({ key }) => key));
  const kept = prune ? [] : before.cases.filter(({ key }) => !keys.has(key));
  return { ...after, cases: [...after.cases, ...kept] };
};

const hasActive = ({ cases }: CompleteDefinition): boolean => cases.some(({ is_active }) => is_active);

beforeAll(loadComparison);

describe('whatever is changed', () => {
  test('a write of one suite or one case that asks an old session for no key is weaker in no plan', () => {
    let strict = 0;
    fc.assert(
      fc.property(anyEdit, anyStricter, ({ before, after }, fields) => {
        const [first, ...others] = before.cases;
        if (first === undefined) return;
        const edited = { ...first, ...fields };
        const writes = [
          { was: before.suite, is: after.suite, whole: { ...before, suite: after.suite } },
          { was: first, is: edited, whole: { ...before, cases: [edited, ...others] } },
        ];
        for (const { was, is, whole } of writes) {
          if (!isAsStrict(was, is)) continue;
          strict += plan(before, whole).changes.length;
          expect(plan(before, whole).weaker).toEqual([]);
        }
      }),
      { numRuns: sized(1_000, 6_000) },
    );
    expect(strict).toBeGreaterThan(sized(100, 600));
  });

  /** Outputs that are cleared afterwards and were not before, by what was accepted earlier. */
  const newlyCleared = (
    { before, after }: Pick<Edit, 'before' | 'after'>,
    outputs: readonly Outputs[],
    accepted?: Accepted,
  ) =>
    MOMENTS.flatMap((atMs) =>
      outputs.filter(
        (one) => isCleared(after, one, atMs, accepted) && !isCleared(before, one, atMs, accepted),
      ),
    );
  const outputsOf = (count: number) =>
    fc.array(anyOutputs, { minLength: count, maxLength: count, size: 'max' });

  test('an output that is cleared afterwards was cleared before, unless the plan names a weaker change', () => {
    let proven = 0;
    fc.assert(
      fc.property(anyEdit, outputsOf(40), fc.nat(3), (edit, outputs, runs) => {
        fc.pre(edit.before.cases.length > 0);
        const { weaker } = plan(edit.before, edit.after, { prune: edit.prune });
        if (weaker.length > 0) return;
        proven++;
        const accepted =
          runs === 0 || !hasActive(edit.before)
            ? undefined
            : { by: edit.before, runs: outputs.slice(0, runs) };
        expect(newlyCleared({ before: edit.before, after: inForce(edit) }, outputs, accepted)).toEqual([]);
      }),
      { numRuns: sized(500, 3_000) },
    );
    // A plan that calls everything weaker would prove nothing.
    expect(proven).toBeGreaterThan(sized(50, 300));
  });

  test('after edits of which no plan names a weaker change, another one lets no output clear beside a baseline from before them', () => {
    let [proven, cleared] = [0, 0];
    const drawn = anyComparing.chain((by) =>
      anyFurtherEdit(by).chain((before) => fc.tuple(fc.constant({ by, before }), anyFurtherEdit(before))),
    );
    fc.assert(
      fc.property(
        drawn,
        outputsOf(20),
        fc.integer({ min: 1, max: 3 }),
        ([{ by, before }, after], outputs, runs) => {
          fc.pre(hasActive(by));
          if ([plan(by, before), plan(before, after)].some(({ weaker }) => weaker.length > 0)) return;
          proven++;
          const accepted = { by, runs: outputs.slice(0, runs) };
          if (outputs.some((one) => isCleared(before, one, NOW_MS, accepted))) cleared++;
          expect(newlyCleared({ before, after }, outputs, accepted)).toEqual([]);
        },
      ),
      { numRuns: sized(300, 4_000) },
    );
    expect(proven).toBeGreaterThan(sized(30, 300));
    expect(cleared).toBeGreaterThan(sized(20, 200));
  });

  test('a definition makes no change of itself, and every change of another one is named', () => {
    fc.assert(
      fc.property(anyEdit, ({ before, after }) => {
        expect(plan(before, before)).toEqual({ changes: [], weaker: [], affects: [] });
        const { changes } = plan(before, after);
        const known = new Map(before.cases.map((one) => [one.key, one]));
        const wanted = new Map(after.cases.map((one) => [one.key, one]));
        const differing = [...new Set([...known.keys(), ...wanted.keys()])].filter(
          (key) => JSON.stringify(known.get(key)) !== JSON.stringify(wanted.get(key)),
        );
        expect(
          changes
            .filter(({ kind }) => kind === 'case')
            .map(({ key }) => key)
            .sort(),
        ).toEqual(differing.sort());
      }),
    );
  });
});

const many = (count: number, fields: Partial<CaseFields> = {}): CaseFields[] =>
  Array.from({ length: count }, (_, index) => aCase(`k${index}`, fields));
const effectsOf = (before: CompleteDefinition, after: CompleteDefinition): string[] =>
  plan(before, after).changes.map(({ kind, key, action, effect }) => `${action} ${kind} ${key}: ${effect}`);

describe('of a suite', () => {
  const gate = { tag: 't', pass_threshold: 0.5, min_judged_cases: 2 };
  const REGRESSION = { alpha: 0.05, min_drop: 0.02 };
  const regressing = (fields: Partial<typeof REGRESSION>) => ({
    gates: { regression: { ...REGRESSION, ...fields } },
  });
  const newly = (max_newly_failing: number) => ({ gates: { max_newly_failing } });
  test.each<[string, Partial<SuiteFields>, Partial<SuiteFields>, string]>([
    ['a higher pass threshold', { pass_threshold: 0.8 }, { pass_threshold: 0.9 }, 'stricter'],
    ['a lower one', { pass_threshold: 0.9 }, { pass_threshold: 0.8 }, 'weaker'],
    ['a gate more', {}, { gates: { min_judged_cases: 1 } }, 'stricter'],
    ['a gate less', { gates: { min_lower_bound: 0.5 } }, {}, 'weaker'],
    ['a tag gate more', {}, { gates: { tags: [gate] } }, 'stricter'],
    ['a tag gate less', { gates: { tags: [gate] } }, { gates: { tags: [] } }, 'weaker'],
    ['that compares', {}, { gates: { max_newly_failing: 0, regression: REGRESSION } }, 'stricter'],
    ['that compares no more', { gates: { regression: REGRESSION } }, {}, 'weaker'],
    ['more that may newly fail', newly(0), newly(1), 'weaker'],
    ['any that may newly fail', newly(1), {}, 'weaker'],
    ['fewer that may newly fail', newly(1), newly(0), 'stricter'],
    ['a smaller alpha', regressing({}), regressing({ alpha: 0.01 }), 'weaker'],
    ['a greater one', regressing({}), regressing({ alpha: 0.1 }), 'stricter'],
    ['a greater drop', regressing({}), regressing({ min_drop: 0.05 }), 'weaker'],
    ['a smaller one', regressing({}), regressing({ min_drop: 0 }), 'stricter'],
    ['a greater alpha and drop', regressing({}), regressing({ alpha: 0.1, min_drop: 0.05 }), 'weaker'],
    ['less that has to be comparable', {}, { gates: { min_comparable: 0.79 } }, 'weaker'],
    ['as much as without saying so', {}, { gates: { min_comparable: 0.8 } }, 'same'],
    ['more of it', { gates: { min_comparable: 0.5 } }, {}, 'stricter'],
    [
      'a bar up and another one down',
      { pass_threshold: 0.5, gates: { min_judged_cases: 2 } },
      { pass_threshold: 1 },
      'weaker',
    ],
    [
      'another name',
      {},
      {
        name: 'other',
        description: 'd',
        keep_outputs: 'all',
        show_expected: true,
        show_inputs: false,
        show_results: false,
      },
      'same',
    ],
  ])('%s', (_, before, after, effect) => {
    expect(effectsOf(define(many(2), before), define(many(2), after))).toEqual([`update suite s: ${effect}`]);
  });

  test('another order decides nothing', () => {
    const { changes } = plan(define(many(3)), define(many(3).toReversed()));
    expect(changes).toEqual([
      {
        kind: 'suite',
        key: 's',
        action: 'update',
        effect: 'same',
        fields: { case_order: { from: ['k0', 'k1', 'k2'], to: ['k2', 'k1', 'k0'] } },
      },
    ]);
  });
});

describe('of a case', () => {
  const advisory = { owner: 'a', reason: 'b', expires_at: new Date(NOW_MS + 1).toISOString() };
  const ended = { ...advisory, expires_at: new Date(NOW_MS - 1).toISOString() };
  test.each<[string, Partial<CaseFields>, Partial<CaseFields>, string]>([
    ['a higher threshold', {}, { threshold: 0.7 }, 'stricter'],
    ['a lower one', {}, { threshold: 0.4 }, 'weaker'],
    ['another expected value', {}, { expected: 'b' }, 'may be weaker'],
    ['another answer', { expected: 'a' }, { expected: 'b' }, 'another answer'],
    ['another input', {}, { input: { a: 1 } }, 'may be weaker'],
    ['another scorer', {}, { scorer: 'other' }, 'may be weaker'],
    ['a scorer that decides alike', {}, { scorer: 'alike' }, 'same'],
    ['that it must pass', {}, { must_pass: true }, 'stricter'],
    ['that it need not', { must_pass: true }, { must_pass: false }, 'weaker'],
    ['more outputs, all of which must pass', {}, { sample_count: 3 }, 'stricter'],
    ['one of which may fail', {}, { sample_count: 3, sample_pass_rate: 0.6 }, 'may be weaker'],
    ['a smaller share of them', { sample_count: 3 }, { sample_count: 3, sample_pass_rate: 0.5 }, 'weaker'],
    ['deactivation', {}, { is_active: false }, 'weaker'],
    ['activation, where all must pass', { is_active: false }, { is_active: true }, 'stricter'],
    [
      'anything while it is inactive',
      { is_active: false },
      { is_active: false, expected: 'b', threshold: 0 },
      'same',
    ],
    ['an advisory', {}, { advisory }, 'weaker'],
    ['one that has ended', {}, { advisory: ended }, 'same'],
    ['its end, where all must pass', { advisory }, {}, 'stricter'],
    ['more weight, where all must pass', {}, { weight: 9 }, 'stricter'],
    ['no weight', {}, { weight: 0 }, 'may be weaker'],
    ['a tag that no gate names', { tags: ['u'] }, { tags: ['v'] }, 'same'],
    ['a tag less that a gate names', { tags: ['t'] }, {}, 'weaker'],
    ['a tag more that a gate names, where all must pass', {}, { tags: ['t'] }, 'stricter'],
    ['names', {}, { name: 'other', description: 'd' }, 'same'],
  ])('%s', (_, before, after, effect) => {
    const bar = { gates: { tags: [{ tag: 't', pass_threshold: 1, min_judged_cases: 1 }] } };
    const scorers = [aScorer('eq'), aScorer('other', { type: 'regex' }), aScorer('alike', { name: 'other' })];
    const suite = (fields: Partial<CaseFields>) =>
      define([aCase('k', fields), aCase('kept', { tags: ['t'] }), aCase('more')], bar, scorers);
    expect(effectsOf(suite(before), suite(after))).toEqual([`update case k: ${effect}`]);
  });

  test.each<[string, SuiteFields['gates'], string]>([
    ['no gate that compares', {}, 'stricter'],
    ['max_newly_failing', { max_newly_failing: 0 }, 'may be weaker'],
    ['regression', { regression: { alpha: 0.05, min_drop: 0.02 } }, 'may be weaker'],
  ])('another weight, where all must pass, beside %s', (_, gates, effect) => {
    const suite = (weight: number) => define([aCase('k', { weight }), aCase('kept')], { gates });
    expect(effectsOf(suite(1), suite(2))).toEqual([`update case k: ${effect}`]);
  });

  test.each<[number, number, number, string]>([
    [10, 1, 0.9, 'may be weaker'],
    [3, 1, 1, 'stricter'],
  ])('to %i cases %i more, at a bar of %d', (count, more, pass_threshold, effect) => {
    const effects = effectsOf(
      define(many(count), { pass_threshold }),
      define(many(count + more), { pass_threshold }),
    );
    expect(new Set(effects.map((text) => text.split(': ')[1]))).toEqual(new Set([effect]));
    expect(effects).toHaveLength(more);
  });

  test.each<[string, Partial<SuiteFields>]>([
    ['the number of cases with a verdict', { gates: { min_judged_cases: 3 }, pass_threshold: 0.5 }],
    ['the bound below the pass rate', { gates: { min_lower_bound: 0.5 } }],
    ['an empty tag gate', { gates: { tags: [{ tag: 't', pass_threshold: 1, min_judged_cases: 1 }] } }],
  ])('one more may be weaker, since it may lift %s', (_, bar) => {
    const after = define([...many(2), aCase('new', { tags: ['t'] })], bar);
    expect(effectsOf(define(many(2), bar), after)).toEqual(['create case new: may be weaker']);
  });

  test('the first one that is active may be weaker where others are not', () => {
    const inactive = aCase('old', { is_active: false });
    const bar = { pass_threshold: 0.5 };
    expect(effectsOf(define([inactive], bar), define([inactive, aCase('new')], bar))).toEqual([
      'create case new: may be weaker',
    ]);
  });

  test('of several outputs, a higher threshold may make a verdict of an error, which a gate waits for', () => {
    const bar = { pass_threshold: 0.5, gates: { min_judged_cases: 3 } };
    const suite = (threshold: number) =>
      define([aCase('k', { sample_count: 2, threshold }), ...many(2)], bar);
    const outputs: Outputs = new Map<string, Samples>([
      ['k', [null, { score: 0.6, recall: 1 }]],
      ...many(2).map(({ key }) => [key, [{ score: 1, recall: 1 }]] as const),
    ]);
    expect([0.5, 0.7].map((threshold) => isCleared(suite(threshold), outputs, NOW_MS))).toEqual([
      false,
      true,
    ]);
    expect(effectsOf(suite(0.5), suite(0.7))).toEqual(['update case k: may be weaker']);
    expect(effectsOf(suite(0.7), suite(0.7))).toEqual([]);
  });

  test('other weights are proven where all are equal before and afterwards', () => {
    const suite = (weights: number[]) =>
      define(
        weights.map((weight, index) => aCase(`k${index}`, { weight })),
        { pass_threshold: 0.8 },
      );
    expect(effectsOf(suite([1, 1, 1]), suite([1, 1, 0]))).toEqual(['update case k2: may be weaker']);
    expect(effectsOf(suite([1, 1, 1]), suite([2, 2, 2]))).toEqual(
      ['k0', 'k1', 'k2'].map((key) => `update case ${key}: stricter`),
    );
    expect(effectsOf(suite([0.1, 0.2]), suite([0.3, 0.2]))).toEqual(['update case k0: may be weaker']);
  });

  test('one that the definition lacks is kept, and deleted only when pruned', () => {
    const [before, after] = [define(many(2)), define(many(1))];
    const lacking = { kind: 'case', key: 'k1', fields: {} };
    expect(plan(before, after, { prune: false })).toMatchObject({
      changes: [{ ...lacking, action: 'keep', effect: 'same' }],
      weaker: [],
    });
    const deleted = { ...lacking, action: 'delete', effect: 'weaker' };
    expect(plan(before, after)).toMatchObject({ changes: [deleted], weaker: [deleted] });
  });

  test('the first cases of a suite make nothing weaker', () => {
    const [none, three] = [define([]), define(many(3), { pass_threshold: 0.2 })];
    const { changes, weaker } = plan(none, three, { isFirst: true });
    expect(changes).toHaveLength(4);
    expect(weaker).toEqual([]);
    expect(plan(none, three).weaker).toHaveLength(4);
  });
});

describe('of a similarity that becomes an exact match', () => {
  const similar = aScorer('similar', {
    type: 'similarity',
    config: { metric: 'rouge_l' },
    dual_sided: false,
  });
  const exact = aScorer('exact', { dual_sided: false });
  const effectOf = (was: Partial<CaseFields>, is: Partial<CaseFields>, bar: Partial<SuiteFields> = {}) => {
    const suite = (scorer: string, fields: Partial<CaseFields>) =>
      define([aCase('k', { scorer, expected: 'a', threshold: 0.8, ...fields })], bar, [similar, exact]);
    return effectsOf(suite('similar', was), suite('exact', is));
  };

  test('the case is stricter', () => {
    expect(effectOf({}, {})).toEqual(['update case k: stricter']);
  });

  test.each<[string, Partial<CaseFields>, Partial<CaseFields>, Partial<SuiteFields>]>([
    ['another text is expected', {}, { expected: 'b' }, {}],
    ['no text is expected', { expected: 5 }, { expected: 5 }, {}],
    [
      'a similarity may not judge the text',
      { expected: 'a'.repeat(10_001) },
      { expected: 'a'.repeat(10_001) },
      {},
    ],
    ['a failure may be a verdict that a gate waits for', {}, {}, { gates: { min_judged_cases: 1 } }],
  ])('the case may be weaker where %s', (_, was, is, bar) => {
    expect(effectOf(was, is, bar)).toEqual(['update case k: may be weaker']);
  });

  test('so is the scorer itself, if each of its cases is', () => {
    const suite = (type: 'similarity' | 'exact_match', expected: unknown) =>
      define([aCase('k', { expected })], {}, [
        aScorer('eq', {
          type,
          config: type === 'similarity' ? { metric: 'levenshtein' } : {},
          dual_sided: false,
        }),
      ]);
    expect(effectsOf(suite('similarity', 'a'), suite('exact_match', 'a'))).toEqual([
      'update scorer eq: stricter',
    ]);
    expect(effectsOf(suite('similarity', 5), suite('exact_match', 5))).toEqual([
      'update scorer eq: may be weaker',
    ]);
  });
});

describe('of a scorer', () => {
  const used = many(1);
  const sides = (recall_threshold: number | null) => aScorer('eq', { recall_threshold });
  test.each([
    ['normalized outputs', aScorer('eq'), aScorer('eq', { config: { normalize: true } }), 'may be weaker'],
    ['another config', aScorer('eq'), aScorer('eq', { config: { case_sensitive: false } }), 'may be weaker'],
    ['another type', aScorer('eq'), aScorer('eq', { type: 'regex' }), 'may be weaker'],
    ['one side', aScorer('eq'), aScorer('eq', { dual_sided: false }), 'may be weaker'],
    ['a higher bar of a side', sides(null), sides(0.5), 'stricter'],
    ['a lower one', sides(0.5), sides(0.4), 'weaker'],
    ['another name', aScorer('eq'), aScorer('eq', { name: 'other' }), 'same'],
  ])('%s', (_, before, after, effect) => {
    expect(effectsOf(define(used, {}, [before]), define(used, {}, [after]))).toEqual([
      `update scorer eq: ${effect}`,
    ]);
  });

  test('what moves other suites names them, and nothing of them is taken for certain', () => {
    const uses = new Map([['eq', ['b', 'a']]]);
    const moved = plan(define(used, {}, [sides(null)]), define(used, {}, [sides(1)]), { uses });
    expect(moved.affects).toEqual([
      { suite: 'a', scorers: ['eq'] },
      { suite: 'b', scorers: ['eq'] },
    ]);
    expect(moved.weaker).toMatchObject([{ kind: 'scorer', key: 'eq', effect: 'may be weaker' }]);
    const renamed = plan(define(used), define(used, {}, [aScorer('eq', { name: 'other' })]), { uses });
    expect(renamed).toMatchObject({ affects: [], weaker: [] });
  });

  test('one that nothing uses makes nothing weaker, and neither does a new one', () => {
    const unused = aScorer('unused');
    const before = define(used, {}, [aScorer('eq'), unused]);
    const after = define(used, {}, [aScorer('eq'), { ...unused, type: 'regex' }, aScorer('new')]);
    expect(effectsOf(before, after)).toEqual(['update scorer unused: same', 'create scorer new: same']);
  });
});
