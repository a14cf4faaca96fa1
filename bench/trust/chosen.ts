import { Random } from '../../test/faults/random.ts';
import type { Row } from '../result.ts';
import { midP } from './rules.ts';
import { drawCases, type SystemLike } from './system.ts';

/** How a baseline of one run is chosen decides how often unchanged candidates are blocked. */
const LIKE: SystemLike = { cases: 500, flips: 0.05, broken: 0 };
const DRAWN = 20;

type Run = readonly boolean[];

const passed = (run: Run): number => run.filter(Boolean).length;
const byPassed = (runs: readonly Run[]): Run[] => runs.toSorted((one, other) => passed(other) - passed(one));

const CHOICES: readonly (readonly [how: string, choose: (runs: readonly Run[]) => Run | undefined])[] = [
  ['any run', ([first]) => first],
  ['the best of 5', (runs) => byPassed(runs.slice(0, 5))[0]],
  ['the best of 20', (runs) => byPassed(runs)[0]],
  ['the median of 5', (runs) => byPassed(runs.slice(0, 5))[2]],
  [
    'the majority of 3 as if one run',
    ([one = [], other = [], third = []]) =>
      one.map((_, index) => Number(one[index]) + Number(other[index]) + Number(third[index]) >= 2),
  ],
];

export function chosenRows(trials: number): Row[] {
  const random = new Random(11);
  const alarms = CHOICES.map(() => 0);
  for (let trial = 0; trial < trials; trial++) {
    const cases = drawCases(LIKE, random);
    const runs = Array.from({ length: DRAWN + 1 }, () => cases.map(({ passes }) => random.chance(passes)));
    const candidate = runs.pop() ?? [];
    for (const [choiceIndex, [, choose]] of CHOICES.entries()) {
      const baseline = choose(runs) ?? [];
      const pairs = candidate.map((passes, place) => ({
        weight: 1,
        passedRuns: Number(baseline[place]),
        passes,
      }));
      if (midP(pairs, 1)) alarms[choiceIndex] = (alarms[choiceIndex] ?? 0) + 1;
    }
  }
  return CHOICES.map(([how], choiceIndex) => ({
    metric: `false alarms, n = 500, flips 5 %, the baseline is ${how}`,
    value: Math.round(((alarms[choiceIndex] ?? 0) / trials) * 1_000) / 10,
    unit: '%',
  }));
}
