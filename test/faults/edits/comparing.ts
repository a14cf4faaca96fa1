import type { RunResult } from '../../../shared/contracts/results/results.ts';
import type { GatedCase } from '../../../shared/scoring/verdict/gating.ts';
import type { ModelPair } from '../../shared/scoring/verdict/baseline/model.ts';
import type { Bar, BarCase } from './bar.ts';

/** A run with the bar that judged it. */
export interface JudgedSide {
  readonly results: readonly RunResult[];
  readonly bar: Bar;
  readonly isSingle: boolean;
}

export const gatedCase = (result: RunResult): GatedCase => ({
  id: result.case_id,
  key: result.key,
  weight: result.weight ?? 0,
  passed: result.passed,
  errored: result.errored,
  missing: result.missing,
  mustPass: result.must_pass,
  tags: result.tags,
  advisory: result.advisory,
});

/** What decides the outcome of a case. */
const documentOf = ({ scorerId, input, expected, threshold, sampleCount, samplePassRate }: BarCase): string =>
  JSON.stringify([scorerId, input, expected, threshold, sampleCount, samplePassRate]);

const modelsOf = ({ scorer_output, samples }: RunResult): string[] =>
  (samples?.map((sample) => sample.scorer_output) ?? [scorer_output]).flatMap(({ answered_model, error }) =>
    answered_model === undefined || error !== undefined ? [] : [String(answered_model)],
  );

/** Several models, or others than before. */
function hasDrifted(result: RunResult, before: readonly RunResult[]): boolean {
  const [now = [], then = []] = [modelsOf(result), before.flatMap(modelsOf)].map((all) => [...new Set(all)]);
  if (now.length === 0 || then.length === 0) return false;
  return now.length > 1 || then.length > 1 || now[0] !== then[0];
}

function outcomeOf({ weight }: BarCase, before: readonly RunResult[]): ModelPair['was'] {
  if (before.length === 0) return undefined;
  const advisory = before.filter((one) => one.advisory).length;
  return {
    weight,
    passedRuns: before.filter(({ passed }) => passed).length,
    errored: before.some(({ errored }) => errored),
    advisory: advisory === 0 ? 'none' : advisory === before.length ? 'all' : 'some',
  };
}

/** Every case of both bars, by id. */
export function pairsOf(
  run: JudgedSide,
  runs: readonly JudgedSide[],
  isJudged: (scorerId: string) => boolean,
): ModelPair[] {
  const [first] = runs;
  if (first === undefined) throw new Error('a baseline has runs');
  const now = new Map(run.bar.cases.map((one) => [one.id, one]));
  const then = new Map(first.bar.cases.map((one) => [one.id, one]));
  return [...new Set([...now.keys(), ...then.keys()])].map((id): ModelPair => {
    const [own, other] = [now.get(id), then.get(id)];
    const result = run.results.find(({ case_id }) => case_id === id);
    const before = runs.flatMap(({ results }) => results.filter(({ case_id }) => case_id === id));
    const pair = { run: result && gatedCase(result), was: other && outcomeOf(other, before) };
    if (own === undefined || other === undefined || result === undefined)
      return { ...pair, isChanged: false, isSameOutput: false };
    const isOther = run.isSingle !== first.isSingle || documentOf(own) !== documentOf(other);
    const isOfModel = isJudged(own.scorerId);
    const { output_digest: digest } = result;
    return {
      ...pair,
      isChanged: isOther || (isOfModel && hasDrifted(result, before)),
      isSameOutput: isOfModel && digest !== null && before.every((one) => one.output_digest === digest),
    };
  });
}
