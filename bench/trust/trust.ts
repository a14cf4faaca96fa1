import { comparedRates } from '../../shared/scoring/verdict/baseline/difference.ts';
import type { PairedOutcome } from '../../shared/scoring/verdict/baseline/worseTest.ts';
import { Random } from '../../test/faults/random.ts';
import type { Bench, Bound, Row } from '../result.ts';
import { chosenRows } from './chosen.ts';
import { comparisonRows } from './comparison.ts';
import { CAUGHT, CAUGHT_BY_DEFAULT, FLIPS, SIZES } from './published.ts';
import { anyNewlyFailing, byDefault, fixedDrop, midP, type Rule, unpaired } from './rules.ts';
import { BASELINE_RUNS, drawCases, drawTrial, type SystemLike, trueDifference } from './system.ts';
import { voteRows } from './votes.ts';

/** With more of them a false alarm is no exception. */
const FALSE_ALARMS: Bound = { atMost: 6 };
/** Points by which simulations of this size may differ. */
const POINTS = 3;
const COVERAGE: Bound = { atLeast: 93.5 };

const percent = (count: number, total: number): number => Math.round((count / total) * 1_000) / 10;

interface Tried {
  readonly name: string;
  readonly rule: Rule;
  readonly runs: (typeof BASELINE_RUNS)[number];
}

const TRIED: readonly Tried[] = [
  ...BASELINE_RUNS.map((runs) => ({
    name: `mid-p, ${runs} ${runs === 1 ? 'run' : 'runs'}`,
    rule: midP,
    runs,
  })),
  { name: 'as gated by default', rule: byDefault, runs: 1 },
  { name: 'any newly failing', rule: anyNewlyFailing, runs: 1 },
  { name: 'drop of 0.05', rule: fixedDrop, runs: 1 },
  { name: 'unpaired interval', rule: unpaired, runs: 1 },
];

interface Cell {
  /** By the names of rules, how often each says that the candidate is worse. */
  readonly alarms: ReadonlyMap<string, number>;
  /** In how many trials the interval held the true difference. */
  readonly covered: number;
}

function simulate(like: SystemLike, tried: readonly Tried[], trials: number, seed: number): Cell {
  const random = new Random(seed);
  const alarms = new Map(tried.map(({ name }) => [name, 0]));
  let covered = 0;
  for (let trial = 0; trial < trials; trial++) {
    const cases = drawCases(like, random);
    const drawn = drawTrial(cases, random);
    const besideRuns = (runs: Tried['runs']): PairedOutcome[] => drawn[BASELINE_RUNS.indexOf(runs)] ?? [];
    for (const { name, rule, runs } of tried) {
      if (rule(besideRuns(runs), runs)) alarms.set(name, (alarms.get(name) ?? 0) + 1);
    }
    const { lower, upper } = comparedRates(besideRuns(1), 1);
    const difference = trueDifference(cases);
    if (lower <= difference && difference <= upper) covered++;
  }
  return { alarms, covered };
}

type Size = (typeof SIZES)[number];
const BROKEN = [0, 5, 10] as const;

function boundOf(
  { rule, runs }: Tried,
  cases: Size,
  flipsIndex: number,
  broken: (typeof BROKEN)[number],
): Bound | undefined {
  if (broken === 0) return cases === 20 || (rule !== midP && rule !== byDefault) ? undefined : FALSE_ALARMS;
  const published =
    rule === midP && broken === 10
      ? CAUGHT[runs][cases][flipsIndex]
      : rule === byDefault && cases !== 20
        ? CAUGHT_BY_DEFAULT[broken][cases][flipsIndex]
        : undefined;
  return published === undefined ? undefined : { atLeast: published - POINTS };
}

function cellRows(cases: Size, flipsIndex: number, trials: number): Row[] {
  const flips = FLIPS[flipsIndex] ?? 0;
  const where = `n = ${cases}, flips ${flips} %`;
  return BROKEN.flatMap((broken): Row[] => {
    const like = { cases, flips: flips / 100, broken: broken / 100 };
    const tried = broken === 5 ? TRIED.filter(({ rule }) => rule === byDefault) : TRIED;
    const { alarms, covered } = simulate(like, tried, trials, cases * 1_000 + flips * 10 + broken);
    const what = broken === 0 ? 'false alarms' : `caught, ${broken} % broken`;
    const rows = tried.map((rule): Row => {
      const bound = boundOf(rule, cases, flipsIndex, broken);
      const value = percent(alarms.get(rule.name) ?? 0, trials);
      return { metric: `${what}, ${where}: ${rule.name}`, value, unit: '%', ...(bound && { bound }) };
    });
    if (broken === 5) return rows;
    const interval = { metric: `interval holds the difference, ${broken} % broken, ${where}`, unit: '%' };
    return [...rows, { ...interval, value: percent(covered, trials), bound: COVERAGE }];
  });
}

/** One case in ten is ten times as heavy, and half of these break. */
function weightRows(trials: number): Row[] {
  const isHeavy = (place: number) => place % 10 === 0;
  const like = {
    cases: 100,
    flips: 0.05,
    broken: 0,
    brokenAt: (place: number) => (isHeavy(place) ? 0.5 : 0),
  };
  const midPOfOne = TRIED.slice(0, 1);
  return [
    ['counted', () => 1, 36] as const,
    ['weighted', (place: number) => (isHeavy(place) ? 10 : 1), 69] as const,
  ].map(([how, weightAt, published]) => {
    const { alarms } = simulate({ ...like, weightAt }, midPOfOne, trials, 7);
    const value = percent([...alarms.values()][0] ?? 0, trials);
    return {
      metric: `caught, half of the heavy cases broken, n = 100, flips 5 %: ${how}`,
      value,
      unit: '%',
      bound: { atLeast: published - POINTS },
    };
  });
}

/** How often a comparison with a baseline is wrong, by simulation. Seeds are fixed: the figures are the same everywhere. */
export const benchTrust: Bench = async (size) => {
  const trials = size === 'full' ? 3_000 : 1;
  const cells = SIZES.flatMap((cases) => FLIPS.flatMap((_, index) => cellRows(cases, index, trials)));
  return [
    ...cells,
    ...weightRows(trials),
    ...chosenRows(trials),
    ...comparisonRows(size === 'full' ? 10_000 : 10),
    ...voteRows(size === 'full' ? 200_000 : 10),
  ];
};
