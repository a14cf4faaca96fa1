import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Against,
  type BarCase,
  type BaselineOutcome,
  baselineOutcomes,
  type JudgedOutcome,
  type ScoredOutcome,
} from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import { compare } from '../../../../../shared/scoring/verdict/baseline/compare.ts';
import type { GatedCase } from '../../../../../shared/scoring/verdict/gating.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';
import { caseOf, casesUpTo } from '../model.ts';

const outcome = (passedRuns: number, more: Partial<BaselineOutcome> = {}): BaselineOutcome => ({
  passedRuns,
  meanScore: 1,
  errored: false,
  advisory: 'none',
  ...more,
});
const beside = (runs: number, cases: readonly BaselineOutcome[]): Against => ({
  runKind: 'outputs',
  pairing: 'by_place',
  baseline: { runs, kind: 'outputs', cases },
});
const ANY = { gates: {} };
const judged = (outputDigest: string | null, ...models: (string | null)[]): { judged: JudgedOutcome } => ({
  judged: { outputDigest, models },
});

describe('a case of run and baseline', () => {
  test.each<[string, Partial<GatedCase> & { is: Parameters<typeof caseOf>[1] }, BaselineOutcome, string]>([
    ['passes in all runs', { is: 'passed' }, outcome(3), 'alike'],
    ['fails in all runs', { is: 'failed' }, outcome(0), 'alike'],
    ['fails, and passed in one of three', { is: 'failed' }, outcome(1), 'alike'],
    ['fails, and passed in two of three', { is: 'failed' }, outcome(2), 'newly_failing'],
    ['has no output, and passed in all', { is: 'missing' }, outcome(3), 'newly_failing'],
    ['passes, and passed in one of three', { is: 'passed' }, outcome(1), 'newly_passing'],
    ['passes, and passed in two of three', { is: 'passed' }, outcome(2), 'alike'],
    ['ends in an error', { is: 'errored' }, outcome(3), 'unjudged'],
    ['ended in an error in one run', { is: 'failed' }, outcome(2, { errored: true }), 'unjudged'],
    ['is advisory in all', { is: 'failed', advisory: true }, outcome(3, { advisory: 'all' }), 'nothing'],
    ['is advisory by now', { is: 'failed', advisory: true }, outcome(3), 'changed ADVISORY'],
    ['was advisory in all', { is: 'failed' }, outcome(3, { advisory: 'all' }), 'changed ADVISORY'],
    ['was advisory in some', { is: 'failed' }, outcome(3, { advisory: 'some' }), 'changed ADVISORY'],
    [
      'is judged by another model',
      { is: 'failed', ...judged('a', 'm2') },
      outcome(3, judged('b', 'm1')),
      'changed JUDGE_DRIFT',
    ],
    [
      'is judged by a model that has no name by now',
      { is: 'failed', ...judged('a', null) },
      outcome(3, judged('b', 'm1')),
      'changed JUDGE_DRIFT',
    ],
    [
      'was judged by several models',
      { is: 'failed', ...judged('a', 'm1') },
      outcome(3, judged('b', 'm1', 'm2')),
      'changed JUDGE_DRIFT',
    ],
    [
      'is judged by several models',
      { is: 'errored', ...judged('a', 'm1', 'm2') },
      outcome(3, judged('b', 'm1')),
      'changed JUDGE_DRIFT',
    ],
    [
      'is judged by a model that never has a name',
      { is: 'failed', ...judged('a', null) },
      outcome(3, judged('b', null)),
      'newly_failing',
    ],
    [
      'has no output for a judge',
      { is: 'missing', ...judged(null) },
      outcome(3, judged('b', 'm1')),
      'newly_failing',
    ],
    [
      'had no output for a judge',
      { is: 'passed', ...judged('a', 'm1') },
      outcome(0, judged(null)),
      'newly_passing',
    ],
    [
      'is judged otherwise though its output is the same',
      { is: 'failed', ...judged('a', 'm') },
      outcome(3, judged('a', 'm')),
      'unstable',
    ],
    [
      'was judged otherwise in one run though all outputs are the same',
      { is: 'passed', ...judged('a', 'm') },
      outcome(2, judged('a', 'm')),
      'unstable',
    ],
    [
      'is judged alike with the same output',
      { is: 'passed', ...judged('a', 'm') },
      outcome(3, judged('a', 'm')),
      'alike',
    ],
    [
      'has no digest on either side',
      { is: 'missing', ...judged(null) },
      outcome(3, judged(null)),
      'newly_failing',
    ],
  ])('that %s', (_, { is, ...more }, baseline, wanted) => {
    const { cases } = compare([caseOf('a', is, more)], ANY, beside(3, [baseline]));
    expect(cases.map((one) => [one.class, one.why ?? []].flat().join(' ')).join()).toBe(
      wanted === 'nothing' ? '' : wanted,
    );
  });

  test('is newly failing of two runs if it passed in one, and newly passing only if it passed in none', () => {
    const all = [caseOf('a', 'failed'), caseOf('b', 'passed'), caseOf('c', 'passed')];
    const { cases } = compare(all, ANY, beside(2, [outcome(1), outcome(1), outcome(0)]));
    expect(cases.map((one) => one.class)).toEqual(['newly_failing', 'alike', 'newly_passing']);
  });

  test('is changed where a run with one output meets one with many, whatever else changed', () => {
    const bar = [{ id: 'a', digest: 'd', weight: 1 }];
    const against: Against = {
      ...beside(1, [outcome(1, { errored: true })]),
      runKind: 'output',
      pairing: { run: bar, baseline: [{ ...bar[0], digest: 'e' } as BarCase] },
    };
    const { cases, coverage, comparable } = compare([caseOf('a', 'errored')], ANY, against);
    expect(cases).toEqual([{ class: 'changed', why: 'KIND', place: 0, baselinePlace: 0 }]);
    expect({ coverage, comparable }).toEqual({ coverage: 0, comparable: false });
  });
});

const digestOfSuite = (...entries: (readonly [id: string, digest: string, weight?: number])[]): BarCase[] =>
  entries.map(([id, digest, weight = 1]) => ({ id, digest, weight }));

test('cases of bars that differ are found by id: added, missing and changed ones are named by their places', () => {
  const against: Against = {
    ...beside(1, [outcome(1), outcome(1), outcome(1)]),
    pairing: {
      run: digestOfSuite(['new', 'n'], ['b', 'b1'], ['a', 'a2']),
      baseline: digestOfSuite(['a', 'a1'], ['gone', 'g', 7], ['b', 'b1']),
    },
  };
  const all = ['new', 'b', 'a'].map((id) => caseOf(id, 'failed'));
  const { cases, counts, coverage } = compare(all, ANY, against);
  expect(cases).toEqual([
    { class: 'added', place: 0, baselinePlace: undefined },
    { class: 'newly_failing', place: 1, baselinePlace: 2 },
    { class: 'changed', why: 'BAR', place: 2, baselinePlace: 0 },
    { class: 'missing', place: undefined, baselinePlace: 1 },
  ]);
  expect(counts).toEqual({
    compared: 1,
    newly_failing: 1,
    newly_passing: 0,
    unstable: 0,
    changed: 1,
    added: 1,
    missing: 1,
    unjudged: 0,
  });
  expect(coverage).toBeCloseTo(1 / 9, 12);
});

test('an unstable case counts in coverage and both rates, and not in the test', () => {
  const all = [caseOf('a', 'failed', judged('a', 'm')), caseOf('b', 'failed')];
  const { counts, coverage, rates, test } = compare(
    all,
    ANY,
    beside(1, [outcome(1, judged('a', 'm')), outcome(1)]),
  );
  expect(counts).toMatchObject({ compared: 2, unstable: 1, newly_failing: 1 });
  expect({ coverage, rates, test }).toMatchObject({
    coverage: 1,
    rates: { baseline: 1, run: 0 },
    test: { informativeCases: 1 },
  });
});

describe('coverage', () => {
  const withWeights = (outcomes: readonly ('passed' | 'errored')[], weights: readonly number[]) =>
    compare(
      outcomes.map((is, at) => caseOf(`c${at}`, is, { weight: weights[at] ?? 1 })),
      ANY,
      beside(
        1,
        outcomes.map(() => outcome(1)),
      ),
    );

  test('is the compared share of the weight, and comparable from 0.8 on, exactly', () => {
    const five = ['passed', 'passed', 'passed', 'passed', 'errored'] as const;
    expect(withWeights(five, [0.1, 0.1, 0.1, 0.1, 0.1])).toMatchObject({ comparable: true });
    expect(withWeights(five, [1, 1, 1, 1, 1.001])).toMatchObject({ comparable: false });
    expect(withWeights(five, [0, 0, 0, 0, 0])).toMatchObject({ coverage: 0.8, comparable: true });
    expect(withWeights(five, [0, 0, 0, 0, 1])).toMatchObject({ coverage: 0, comparable: false });
  });

  test('is compared with what the suite requires', () => {
    const cases = [caseOf('a', 'passed'), caseOf('b', 'errored')];
    const against = beside(1, [outcome(1), outcome(1)]);
    expect(compare(cases, { gates: { min_comparable: 0.5 } }, against).comparable).toBe(true);
    expect(compare(cases, { gates: { min_comparable: 0.51 } }, against).comparable).toBe(false);
  });
});

test('outcomes that are too few or too many for their bar are an error, never a comparison', () => {
  const one = [caseOf('a', 'passed')];
  const bar = digestOfSuite(['a', 'd']);
  const by = (pairing: Against['pairing'], outcomes: number) => () =>
    compare(one, ANY, {
      ...beside(
        1,
        Array.from({ length: outcomes }, () => outcome(1)),
      ),
      pairing,
    });
  for (const compared of [
    by('by_place', 0),
    by('by_place', 2),
    by({ run: bar, baseline: bar }, 2),
    by({ run: [], baseline: bar }, 1),
  ]) {
    expect(compared).toThrow('outcomes');
  }
});

/** Each run a list of outcomes of the same cases. */
const anyRuns = (most: number): fc.Arbitrary<GatedCase[][]> =>
  casesUpTo(8).chain((cases) => {
    const again = fc.tuple(
      ...cases.map((one) =>
        fc.record({
          is: fc.constantFrom('passed', 'failed', 'errored', 'missing'),
          advisory: fc.constantFrom(false, false, false, true),
          digest: fc.constantFrom('a', 'b'),
          isJudged: fc.constant(one.weight !== 1),
        }),
      ),
    );
    const run = again.map((drawn) =>
      cases.map((one, at) => {
        const { is = 'passed', advisory = false, digest = 'a', isJudged = false } = drawn[at] ?? {};
        const more = { weight: one.weight, mustPass: one.mustPass, advisory };
        return caseOf(one.id, is, { ...more, ...(isJudged && judged(digest, 'm')) });
      }),
    );
    return fc.array(run, { minLength: 1, maxLength: most });
  });
const scored = (run: readonly GatedCase[]): ScoredOutcome[] =>
  run.map((one) => ({ ...one, score: Number(one.passed) }));
const RUNS = { numRuns: sized(150, 2_000) };

test('a run beside itself differs in nothing', () => {
  fc.assert(
    fc.property(anyRuns(1), ([run = []]) => {
      const found = compare(run, ANY, beside(1, baselineOutcomes([scored(run)])));
      expect(found.counts).toMatchObject({ newly_failing: 0, newly_passing: 0, unstable: 0 });
      expect(found.counts).toMatchObject({ changed: 0, added: 0, missing: 0 });
      expect(found.rates.difference).toBe(0);
      expect(found.test).toMatchObject({ pValue: 1, pValueExact: 1, informativeCases: 0 });
    }),
    RUNS,
  );
});

test('cases that are found by id are those that are found by place, in whatever order the bars have them', () => {
  const drawn = anyRuns(4).chain(([run = [], ...others]) =>
    fc.record({
      run: fc.constant(run),
      others: fc.constant<GatedCase[][]>(others.length === 0 ? [run] : others),
      order: fc.shuffledSubarray(
        run.map((_, at) => at),
        { minLength: run.length },
      ),
    }),
  );
  fc.assert(
    fc.property(drawn, ({ run, others, order }) => {
      const outcomes = baselineOutcomes(others.map(scored));
      const bar = run.map(({ id, weight }) => ({ id, digest: id, weight }));
      const moved = <T>(list: readonly T[]) => order.flatMap((at) => list[at] ?? []);
      const byPlace = compare(run, ANY, beside(others.length, outcomes));
      const byId = compare(run, ANY, {
        ...beside(others.length, moved(outcomes)),
        pairing: { run: bar, baseline: moved(bar) },
      });
      const inOrder = byId.cases.map((one) => ({ ...one, baselinePlace: order[one.baselinePlace ?? -1] }));
      expect({ ...byId, cases: inOrder, coverage: 0 }).toEqual({ ...byPlace, coverage: 0 });
      expect(byId.coverage).toBeCloseTo(byPlace.coverage, 12);
    }),
    RUNS,
  );
});

test('with run and baseline swapped, what was newly failing is newly passing', () => {
  const two = anyRuns(2).filter(({ length }) => length === 2);
  fc.assert(
    fc.property(two, ([one = [], other = []]) => {
      const [there, back] = [
        compare(one, ANY, beside(1, baselineOutcomes([scored(other)]))),
        compare(other, ANY, beside(1, baselineOutcomes([scored(one)]))),
      ];
      expect(back.counts).toEqual({
        ...there.counts,
        newly_failing: there.counts.newly_passing,
        newly_passing: there.counts.newly_failing,
      });
      expect(back.rates.difference).toBeCloseTo(-there.rates.difference, 12);
      expect(back.coverage).toBeCloseTo(there.coverage, 12);
      if (there.test.informativeCases > 0) expect(back.test.pValue).toBeCloseTo(1 - there.test.pValue, 12);
    }),
    RUNS,
  );
});

describe('a baseline', () => {
  const run = (...passed: boolean[]): ScoredOutcome[] =>
    passed.map((is) => ({ passed: is, errored: false, advisory: false, score: is ? 1 : 0.5 }));

  test('keeps in how many of its runs a case passed, its mean score, and what all runs have alike', () => {
    const first: ScoredOutcome = {
      passed: true,
      errored: false,
      advisory: true,
      score: 1,
      ...judged('a', 'm'),
    };
    const second = { ...first, passed: false, errored: true, score: 0, ...judged('b', null, 'm') };
    expect(baselineOutcomes([[first], [first]])).toEqual([
      { passedRuns: 2, meanScore: 1, errored: false, advisory: 'all', ...judged('a', 'm') },
    ]);
    expect(baselineOutcomes([[first], [{ ...second, advisory: false }]])).toEqual([
      { passedRuns: 1, meanScore: 0.5, errored: true, advisory: 'some', ...judged(null, null, 'm') },
    ]);
    expect(baselineOutcomes([run(true, false)])).toEqual([outcome(1), outcome(0, { meanScore: 0.5 })]);
  });

  test('is not made of no run, of six, or of runs of other bars', () => {
    const six = Array.from({ length: 6 }, () => run(true));
    for (const runs of [[], six, [run(true), run(true, true)]]) {
      expect(() => baselineOutcomes(runs)).toThrow('no baseline');
    }
  });
});
