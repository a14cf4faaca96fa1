import type { Run } from '../../contracts/runs.ts';

/** Pass rates are summed up in billionths: whole numbers come to the same in whatever order runs end. */
const BILLION = 1e9;

/** What a suite's runs of one day came to. Runs under way, and those that could not be evaluated, don't count. */
export interface DayFigures {
  readonly runs: number;
  readonly cleared: number;
  /** Billionths. */
  readonly passRateSum: number;
}

export const NO_RUNS: DayFigures = { runs: 0, cleared: 0, passRateSum: 0 };

export const figuresOf = ({ status, pass_rate }: Pick<Run, 'status' | 'pass_rate'>): DayFigures => ({
  runs: 1,
  cleared: status === 'cleared' ? 1 : 0,
  passRateSum: Math.round(pass_rate * BILLION),
});

export const plus = (a: DayFigures, b: DayFigures): DayFigures => ({
  runs: a.runs + b.runs,
  cleared: a.cleared + b.cleared,
  passRateSum: a.passRateSum + b.passRateSum,
});

/** To nine decimals, which is as exact as the sum. */
export const averagePassRate = ({ runs, passRateSum }: DayFigures): number =>
  runs === 0 ? 0 : Math.round(passRateSum / runs) / BILLION;
