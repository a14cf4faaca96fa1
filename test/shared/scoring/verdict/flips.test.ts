import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verdictDetail } from '../../../../shared/scoring/verdict/detail.ts';
import { foldVerdict } from '../../../../shared/scoring/verdict/foldVerdict.ts';
import type { GatedCase, GateSettings } from '../../../../shared/scoring/verdict/gating.ts';
import { sized } from '../../../support/soak.ts';
import { bars, caseOf, casesUpTo, isShortOfEvidence, modelClears, withOutcome } from './model.ts';

function flipsOf(cases: readonly GatedCase[], bar: GateSettings) {
  const { kept, ...figures } = foldVerdict(cases, bar);
  return verdictDetail(figures, bar.passThreshold, kept).flips;
}

/** The cases after those of the set changed. */
const turn = (cases: readonly GatedCase[], ids: ReadonlySet<string>): GatedCase[] =>
  cases.map((one) => (ids.has(one.id) ? withOutcome(one, one.passed ? 'failed' : 'passed') : one));

/** The least number of cases that has to change, by trying every set; undefined where none flips the run. */
function fewestThatFlip(cases: readonly GatedCase[], bar: GateSettings): number | undefined {
  const cleared = modelClears(cases, bar);
  const candidates = cases.filter(({ passed }) => passed === cleared);
  const sizes = Array.from({ length: 2 ** candidates.length }, (_, set) => {
    const ids = new Set(candidates.filter((_, at) => ((set >> at) & 1) === 1).map(({ id }) => id));
    return modelClears(turn(cases, ids), bar) === cleared ? Number.POSITIVE_INFINITY : ids.size;
  });
  const fewest = Math.min(...sizes);
  return Number.isFinite(fewest) ? fewest : undefined;
}

describe('what would flip a run', () => {
  test('is that many cases, and no fewer where it is exact', () => {
    fc.assert(
      fc.property(casesUpTo(9), bars, (cases, bar) => {
        const [flips, fewest] = [flipsOf(cases, bar), fewestThatFlip(cases, bar)];
        expect(flips === null).toBe(fewest === undefined);
        if (flips === null || fewest === undefined) return;
        const cleared = modelClears(cases, bar);
        expect(flips.to).toBe(cleared ? 'aborted' : 'cleared');
        expect(flips.cases).toBeGreaterThanOrEqual(fewest);
        if (flips.exact) expect(flips.cases).toBe(fewest);
        if (cleared) return;
        expect(new Set(flips.case_ids).size).toBe(flips.cases);
        expect(modelClears(turn(cases, new Set(flips.case_ids)), bar)).toBe(true);
      }),
      { numRuns: sized(300, 1_000) },
    );
  });

  test('is exact where no case is in two tag gates and no gate lacks evidence, and of every cleared run', () => {
    fc.assert(
      fc.property(casesUpTo(12), bars, (cases, bar) => {
        const gated = new Set(bar.gates.tags?.map(({ tag }) => tag));
        const areApart = cases.every(({ tags }) => tags.filter((tag) => gated.has(tag)).length <= 1);
        const isSure = modelClears(cases, bar) || (areApart && !isShortOfEvidence(cases, bar));
        const flips = flipsOf(cases, bar);
        if (flips !== null && isSure) expect(flips.exact).toBe(true);
      }),
      { numRuns: sized(300, 1_000) },
    );
  });
});

test('the heaviest cases come first', () => {
  const cases = [1, 5, 2, 8].map((weight, at) => caseOf(`c${at}`, 'failed', { weight }));
  expect(flipsOf(cases, { passThreshold: 0.75, gates: {} })).toEqual({
    to: 'cleared',
    cases: 2,
    exact: true,
    case_ids: ['c3', 'c1'],
  });
});

test('one must-pass case is enough to abort', () => {
  const cases = [...Array(50).keys()].map((at) => caseOf(`c${at}`, 'passed', { mustPass: at === 7 }));
  expect(flipsOf(cases, { passThreshold: 0.5, gates: {} })).toMatchObject({ to: 'aborted', cases: 1 });
});

test.each([
  ['a threshold of 0', [caseOf('a', 'passed')], { passThreshold: 0, gates: {} }],
  [
    'fewer cases than need a verdict',
    [caseOf('a', 'errored')],
    { passThreshold: 1, gates: { min_judged_cases: 2 } },
  ],
  [
    'a bound that so few cases cannot prove',
    [caseOf('a', 'failed')],
    { passThreshold: 1, gates: { min_lower_bound: 0.9 } },
  ],
  [
    'a bound that eight cases would prove, had one of them not half of the weight',
    [6, 1, 1, 1, 1, 1, 1, 1].map((weight, at) => caseOf(`c${at}`, at > 6 ? 'failed' : 'passed', { weight })),
    { passThreshold: 0.5, gates: { min_lower_bound: 0.6 } },
  ],
])('with %s nothing flips the run', (_, cases, bar) => {
  expect(flipsOf(cases, bar)).toBeNull();
});

test('an errored case that is turned counts as judged', () => {
  const cases = [caseOf('a', 'passed'), caseOf('b', 'errored'), caseOf('c', 'missing')];
  const flips = flipsOf(cases, { passThreshold: 0.3, gates: { min_judged_cases: 3 } });
  expect(flips).toMatchObject({ to: 'cleared', cases: 2, case_ids: ['b', 'c'] });
});

test('of many cases in 50 tag gates, each with a fifth of them, as few as are found are named, and not as exact', () => {
  const tags = Array.from({ length: 50 }, (_, tag) => `t${tag}`);
  const cases = Array.from({ length: sized(1_000, 10_000) }, (_, at) =>
    caseOf(`c${at}`, at % 10 === 0 ? 'failed' : 'passed', {
      tags: tags.filter((_, tag) => (at + tag) % 5 === 0),
      weight: 1 + (at % 3),
    }),
  );
  const gates = { tags: tags.map((tag) => ({ tag, pass_threshold: 0.91, min_judged_cases: 5 })) };
  expect(flipsOf(cases, { passThreshold: 0.9, gates })).toMatchObject({ to: 'cleared', exact: false });
});
