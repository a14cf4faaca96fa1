/** What runs are compared with: one to five accepted runs of one bar. */
const BASELINE_RUNS_MAX = 5;

/** Whether every case saw the run's one output, or each its own. */
export type OutputKind = 'output' | 'outputs';

/** Of a case that models judge: what was judged, and by which of them. */
export interface JudgedOutcome {
  /** That of the result, 16 hexadecimal digits. Null where no output was sent, or where the runs had several. */
  readonly outputDigest: string | null;
  /**
   * Each model that answered, once and in order: null for answers in which the provider names none. Empty where none was
   * asked, as for a missing output.
   */
  readonly models: readonly (string | null)[];
}

/** What a baseline keeps of a case. Nothing of an output is in it. */
export interface BaselineOutcome {
  /** In how many of its runs the case passed. */
  readonly passedRuns: number;
  readonly meanScore: number;
  /** In any of its runs. */
  readonly errored: boolean;
  /** In which of its runs the case was advisory. */
  readonly advisory: 'all' | 'some' | 'none';
  /** Only of a case that models judge. */
  readonly judged?: JudgedOutcome | undefined;
}

export interface Baseline {
  /** From 1 to `BASELINE_RUNS_MAX`. */
  readonly runs: number;
  readonly kind: OutputKind;
  /** In the order of the active cases of its bar. */
  readonly cases: readonly BaselineOutcome[];
}

/** An active case of a bar, as far as cases of two bars are paired by it. */
export interface BarCase {
  readonly id: string;
  /** Of what decides its outcome. */
  readonly digest: string;
  readonly weight: number;
}

/**
 * How the cases of a run are found in its baseline. `by_place` only where both have the same digest and the same order
 * of cases: a new order does not change the digest. Else the active cases of both bars, each in its own order.
 */
export type Pairing =
  | 'by_place'
  | { readonly run: readonly BarCase[]; readonly baseline: readonly BarCase[] };

/** What a run is compared with. */
export interface Against {
  readonly runKind: OutputKind;
  readonly baseline: Baseline;
  readonly pairing: Pairing;
}

/** A case of a run, as a baseline takes it. */
export interface ScoredOutcome {
  readonly passed: boolean;
  readonly errored: boolean;
  readonly advisory: boolean;
  readonly score: number;
  readonly judged?: JudgedOutcome | undefined;
}

/** The outcomes of one to five runs of one bar, whose cases have one order. */
export function baselineOutcomes(runs: readonly (readonly ScoredOutcome[])[]): BaselineOutcome[] {
  const [first = []] = runs;
  const isOneBar = runs.every(({ length }) => length === first.length);
  if (runs.length === 0 || runs.length > BASELINE_RUNS_MAX || !isOneBar) {
    throw new Error(`no baseline is made of ${runs.length} runs with ${runs.map((run) => run.length)} cases`);
  }
  return first.map((_, place) => outcomeOf(runs.flatMap((run) => run[place] ?? [])));
}

function outcomeOf(all: readonly ScoredOutcome[]): BaselineOutcome {
  const advisory = all.filter((one) => one.advisory).length;
  const judged = all.flatMap((one) => one.judged ?? []);
  return {
    passedRuns: all.filter(({ passed, errored }) => passed && !errored).length,
    meanScore: all.reduce((sum, { score }) => sum + score, 0) / all.length,
    errored: all.some(({ errored }) => errored),
    advisory: advisory === 0 ? 'none' : advisory === all.length ? 'all' : 'some',
    ...(judged.length > 0 && { judged: judgedOf(judged) }),
  };
}

function judgedOf(all: readonly JudgedOutcome[]): JudgedOutcome {
  const digest = all[0]?.outputDigest ?? null;
  const isOne = all.every(({ outputDigest }) => outputDigest === digest);
  return { outputDigest: isOne ? digest : null, models: distinctModels(all.flatMap(({ models }) => models)) };
}

/** Null comes first. */
export const distinctModels = (models: readonly (string | null)[]): (string | null)[] =>
  [...new Set(models)].sort((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1));
