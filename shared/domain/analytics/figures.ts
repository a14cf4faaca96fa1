import type { Run } from '../../contracts/runs.ts';

/** Pass rates are summed as whole billionths, so that the sum does not depend on the order in which runs end. */
const BILLION = 1e9;

/** The figures of a suite's runs of one day. Pending runs, and runs that could not be evaluated, don't count. */
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

/** Rounded to nine decimals, the precision of the sum. */
export const averagePassRate = ({ runs, passRateSum }: DayFigures): number =>
  runs === 0 ? 0 : Math.round(passRateSum / runs) / BILLION;
