import type { RunResult } from '../../../shared/contracts/results/results.ts';
import type { Bar, BarCase } from './bar.ts';

/** A run with the bar that judged it. */
export interface JudgedSide {
  readonly results: readonly RunResult[];
  readonly bar: Bar;
  readonly isSingle: boolean;
}

export interface OracleComparison {
  /**
   * Which fail that passed before: `errored` says what those in an error count as; undefined: as nothing. With `failed`
   * also those that cannot be compared.
   */
  newlyFailing(errored?: 'failed' | 'passed'): readonly string[];
  readonly comparable: boolean;
  readonly difference: number;
}

const MIN_COMPARABLE = 0.8;
const CLOSE = 1e-9;

/** What decides the outcome of a case. */
const documentOf = ({ scorerId, input, expected, threshold, sampleCount, samplePassRate }: BarCase): string =>
  JSON.stringify([scorerId, input, expected, threshold, sampleCount, samplePassRate]);

const modelsOf = ({ scorer_output, samples }: RunResult): string[] =>
  (samples?.map((sample) => sample.scorer_output) ?? [scorer_output]).flatMap(({ answered_model, error }) =>
    answered_model === undefined || error !== undefined ? [] : [String(answered_model)],
  );

interface RevisionIds {
  readonly result: RunResult;
  readonly before: readonly RunResult[];
  readonly isChanged: boolean;
  readonly isUnjudged: boolean;
}

/** Case by case, by the definitions. */
export function compareByOracle(
  run: JudgedSide,
  runs: readonly JudgedSide[],
  isJudged: (scorerId: string) => boolean,
): OracleComparison {
  const [first] = runs;
  if (first === undefined) throw new Error('a baseline has runs');
  const now = new Map(run.bar.cases.map((one) => [one.id, one]));
  const then = new Map(first.bar.cases.map((one) => [one.id, one]));
  const revisionIds = run.results.flatMap((result): RevisionIds[] => {
    const before = runs.flatMap(({ results }) => results.filter(({ case_id }) => case_id === result.case_id));
    const [own, other] = [now.get(result.case_id), then.get(result.case_id)];
    if (before.length === 0 || own === undefined || other === undefined) return [];
    const isOther = run.isSingle !== first.isSingle || documentOf(own) !== documentOf(other);
    if (result.advisory) return [];
    const wasAdvisory = before.some(({ advisory }) => advisory);
    const models = [modelsOf(result), before.flatMap(modelsOf)].map((names) => [...new Set(names)]);
    const haveModels = isJudged(own.scorerId) && models.every(({ length }) => length > 0);
    const hasDrifted =
      haveModels && (models.some(({ length }) => length > 1) || models[0]?.[0] !== models[1]?.[0]);
    const isChanged = isOther || wasAdvisory || hasDrifted;
    return [{ result, before, isChanged, isUnjudged: before.some(({ errored }) => errored) }];
  });
  const isCertain = ({ isChanged, isUnjudged }: RevisionIds): boolean => !isChanged && !isUnjudged;
  const compared = revisionIds.filter((revisions) => isCertain(revisions) && !revisions.result.errored);
  const isUnstable = ({ result, before }: RevisionIds, passes: boolean): boolean =>
    isJudged(now.get(result.case_id)?.scorerId ?? '') &&
    result.output_digest !== null &&
    before.every(({ output_digest }) => output_digest === result.output_digest) &&
    before.some(({ passed }) => passed !== passes);
  const weightOf = (some: readonly { readonly weight: number | null }[]): number =>
    some.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
  const gating = run.results.filter(({ advisory }) => !advisory);
  const gatingThen = first.bar.cases.filter(({ id }) =>
    runs.some(({ results }) => results.some((one) => one.case_id === id && !one.advisory)),
  );
  const whole = Math.max(weightOf(gating), weightOf(gatingThen));
  const part = weightOf(compared.map(({ result }) => result));
  const coverage = whole === 0 ? compared.length / Math.max(gating.length, gatingThen.length) : part / whole;
  const equal = part === 0;
  const sums = compared.reduce(
    (sum, { result, before }) => {
      const weight = equal ? 1 : (result.weight ?? 0);
      const share = before.filter(({ passed }) => passed).length / before.length;
      return { weight: sum.weight + weight, fall: sum.fall + weight * (Number(result.passed) - share) };
    },
    { weight: 0, fall: 0 },
  );
  return {
    newlyFailing: (errored) =>
      revisionIds
        .filter((revisions) => isCertain(revisions) || errored === 'failed')
        .filter(({ result }) => errored !== undefined || !result.errored)
        .filter((revisions) => {
          const passes = revisions.result.errored ? errored === 'passed' : revisions.result.passed;
          const passed = revisions.before.filter((one) => one.passed || revisions.isUnjudged).length;
          const isNew = !passes && passed > 0 && 2 * passed >= revisions.before.length;
          return isNew && !(isCertain(revisions) && isUnstable(revisions, passes));
        })
        .map(({ result }) => result.key),
    comparable: compared.length > 0 && coverage >= (run.bar.gates.min_comparable ?? MIN_COMPARABLE) - CLOSE,
    difference: sums.weight === 0 ? 0 : sums.fall / sums.weight,
  };
}
