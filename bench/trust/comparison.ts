import type { Against, BarCase } from '../../shared/scoring/verdict/baseline/baseline.ts';
import { compare } from '../../shared/scoring/verdict/baseline/compare.ts';
import type { GatedCase } from '../../shared/scoring/verdict/gating.ts';
import { Random } from '../../test/faults/random.ts';
import { median, type Row } from '../result.ts';

/** Inside the memory and time of the function that ends a run. */
const COMPARED_MS = { atMost: 1_000 };
const REPEATED = 3;

/** Runs of which every case differs: the worst to compare. */
function differing(count: number, weightOf: (random: Random) => number) {
  const random = new Random(3);
  const cases = Array.from({ length: count }, (_, index): GatedCase => {
    const name = `case-${index}`;
    const state = { passed: random.chance(0.5), errored: false, missing: false };
    return { id: name, key: name, weight: weightOf(random), ...state, ...RULES };
  });
  const outcomes = cases.map(({ passed }) => ({
    passedRuns: passed ? 0 : 1,
    meanScore: 1,
    errored: false,
    advisory: 'none' as const,
  }));
  const against: Against = {
    runKind: 'outputs',
    pairing: 'by_place',
    baseline: { runs: 1, kind: 'outputs', cases: outcomes },
  };
  return { cases, against };
}

const RULES = { mustPass: false, tags: [], advisory: false };

export function comparisonRows(count: number): Row[] {
  const weights = [
    ['equal weights', () => 1],
    ['weights of any size', (random: Random) => 0.5 + random.next()],
  ] as const;
  return weights.flatMap(([weighting, weightOf]): Row[] => {
    const { cases, against } = differing(count, weightOf);
    const bar = cases.map(({ id, weight }): BarCase => ({ id, digest: id, weight }));
    return (
      [
        ['by place', 'by_place'],
        ['by id', { run: bar, baseline: bar }],
      ] as const
    ).map(([how, pairing]) => ({
      metric: `comparison of ${count} cases, ${weighting}, ${how}`,
      value: Math.round(processorMs(() => compare(cases, { gates: {} }, { ...against, pairing }))),
      unit: 'ms of processor time',
      bound: COMPARED_MS,
    }));
  });
}

function processorMs(work: () => unknown): number {
  return median(
    Array.from({ length: REPEATED }, () => {
      const before = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }),
  );
}
