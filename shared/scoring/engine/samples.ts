import type { Fault } from '../../contracts/gates.ts';
import { scorerOutput, show } from '../kit/debugOutput.ts';
import { failedByError, OUTPUT_ERROR, SAMPLES_UNDECIDED } from '../kit/errors.ts';
import type { CaseResult, SuiteCase } from '../kit/types.ts';
import { faultOf } from '../verdict/fault.ts';

type NamedCase = Pick<SuiteCase, 'id' | 'name' | 'threshold'>;

export interface SampleRule {
  /** How many outputs the case takes. Those that were not sent have failed. */
  readonly sampleCount: number;
  /** The share of them that has to pass; 0 for any. */
  readonly samplePassRate: number;
}

export function missingResult({ id, name, threshold }: NamedCase): CaseResult {
  return {
    case_id: id,
    case_name: name,
    passed: false,
    score: 0,
    threshold,
    reason: 'no output was sent for this case: send one, or deactivate the case',
    scorer_output: { missing: true },
    duration_ms: 0,
    errored: false,
    missing: true,
  };
}

/** An output was sent without the trace that decides. The harness could leave it out on purpose: no error excuses it. */
export const traceMissingResult = (evalCase: NamedCase): CaseResult => ({
  ...missingResult(evalCase),
  reason:
    'the output came without its trace: send `trace` or `messages` with it, and `[]` where no tool was called',
  scorer_output: { missing: true, error: 'TRACE_MISSING' },
});

/** What the agent did was sent, and not what it answered: nothing is known that a scorer of outputs could judge. */
export const answerMissingResult = (evalCase: NamedCase): CaseResult => ({
  ...missingResult(evalCase),
  reason: 'the trace shows no answer after its last call: send `output` with it, and "" where there was none',
  scorer_output: { missing: true, error: 'ANSWER_MISSING' },
});

/** The harness could not obtain an output. */
export function outputErrorResult(evalCase: NamedCase, message: string): CaseResult {
  const shown = show(message.toWellFormed());
  return {
    ...failedByError(evalCase, { ...OUTPUT_ERROR, reason: `no output could be obtained: ${message}` }),
    scorer_output: scorerOutput({ error: OUTPUT_ERROR.code, message: shown.value }, shown),
  };
}

/** The place of a sample in what was sent, a sample that was not sent, or none since errored ones decide. */
export type DecidingSample = number | 'missing' | 'undecided';

/**
 * The sample that the case stands for: of the best ones, the last that has to pass. Errored samples are taken as failed
 * where the case passes nevertheless, and as passed where it fails nevertheless. Equal ones stand as they were sent.
 */
export function decidingSample(samples: readonly CaseResult[], rule: SampleRule): DecidingSample {
  const { sampleCount } = rule;
  if (samples.length === 0 || samples.length > sampleCount) {
    throw new Error(`a case of ${sampleCount} samples got ${samples.length}`);
  }
  if (sampleCount === 1) return 0;
  const needed = neededOf(rule);
  const bestFirst = samples
    .map((sample, index) => ({ at: index, sample }))
    .filter(({ sample }) => !sample.errored)
    .sort((one, other) => compare(one.sample, other.sample));
  const passed = bestFirst.filter(({ sample }) => sample.passed).length;
  const errored = samples.length - bestFirst.length;
  if (passed < needed && passed + errored >= needed) return 'undecided';
  return bestFirst[needed - 1 - (passed >= needed ? 0 : errored)]?.at ?? 'missing';
}

/** How many of its outputs have to pass. */
export const neededOf = ({ sampleCount, samplePassRate }: SampleRule): number =>
  Math.max(1, Math.ceil(samplePassRate * sampleCount - 1e-9));

/** Negative when the first one is better. */
function compare(left: CaseResult, right: CaseResult): number {
  return left.passed === right.passed ? right.score - left.score : Number(right.passed) - Number(left.passed);
}

/**
 * The result of a case whose samples, one to `sampleCount` of them, were scored or are errors. The only sample of a case
 * that takes one is returned as it is.
 */
export function foldSamples(
  samples: readonly CaseResult[],
  rule: SampleRule,
  deciding = decidingSample(samples, rule),
): CaseResult {
  const [first, result] = [samples[0], samples[typeof deciding === 'number' ? deciding : 0]];
  if (first === undefined || result === undefined) throw new Error('a case got no sample');
  if (rule.sampleCount === 1) return first;
  const evalCase = { id: first.case_id, name: first.case_name, threshold: first.threshold };
  const duration_ms = samples.reduce((sum, sample) => sum + sample.duration_ms, 0);
  if (samples.every(({ missing }) => missing)) return { ...first, duration_ms };
  switch (deciding) {
    case 'undecided':
      return { ...undecidedResult(evalCase, samples, rule), duration_ms };
    case 'missing':
      return { ...lackingResult(evalCase, rule.sampleCount - samples.length, rule), duration_ms };
    default: {
      const { missing: _, ...decided } = result;
      return { ...decided, duration_ms };
    }
  }
}

function undecidedResult(evalCase: NamedCase, samples: readonly CaseResult[], rule: SampleRule): CaseResult {
  const error = samples.find(({ errored }) => errored)?.reason;
  const fault = faultOfUndecided(samples, rule);
  const reason = `${SAMPLES_UNDECIDED.reason}; the first such error: ${error}`;
  return failedByError(evalCase, { ...SAMPLES_UNDECIDED, fault, reason });
}

/** Whose doing it is that samples do not decide. */
export const faultOfUndecided = (
  samples: readonly Pick<CaseResult, 'passed' | 'fault'>[],
  rule: SampleRule,
): Fault =>
  faultOf((faults) => {
    const mayPass = samples.filter(
      ({ passed, fault }) => passed || (fault !== undefined && faults.has(fault)),
    );
    return mayPass.length >= neededOf(rule);
  });

/** Some outputs were sent, so the case itself is not missing. */
function lackingResult(evalCase: NamedCase, lacking: number, { sampleCount }: SampleRule): CaseResult {
  const { missing: _, ...failed } = missingResult(evalCase);
  return { ...failed, reason: `${lacking} of ${sampleCount} outputs were not sent for this case: send them` };
}
