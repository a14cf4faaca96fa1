import type { JudgedCase } from '../../../scoring/engine/cases.ts';
import {
  foldCase,
  outputDigest,
  readsMetadata,
  readsTrace,
  resultDigest,
} from '../../../scoring/engine/engine.ts';
import type { CaseResult, SuiteCase } from '../../../scoring/kit/types.ts';
import { distinctModels, type JudgedOutcome } from '../../../scoring/verdict/baseline/baseline.ts';
import type { GatedCase } from '../../../scoring/verdict/gating.ts';
import type { PlannedCase } from '../../suites/chains/plannedCase.ts';
import { isAdvisory } from '../../suites/gates/rules.ts';
import type { Sample } from '../outputs/submission.ts';
import type { ScoredCase } from '../ports.ts';
import { shortTexts } from './excerpts.ts';

type Judged = Omit<PlannedCase, 'input' | 'expected'>;

/** The full digests of the samples of a case, in the order they were sent. */
export function sampleDigests({ scorer }: Pick<Judged, 'scorer'>, samples: readonly Sample[]): string[] {
  return samples.map((sample) => sampleDigest(sample, scorer?.type));
}

/** A single output is the sample of every case: a large one is digested once, and once with its trace. */
const known = new WeakMap<Sample, string>();
const knownWithTrace = new WeakMap<Sample, string>();

/** By the type of the scorer of its case. */
export function sampleDigest(sample: Sample, type = ''): string {
  const { output, input } = sample;
  const trace = readsTrace(type) ? sample.trace : undefined;
  if (sample.error !== undefined) return outputDigest({ error: sample.error }, input, { trace });
  const metadata = readsMetadata(type) ? sample.metadata : undefined;
  if (metadata !== undefined) return outputDigest({ output }, input, { metadata, trace });
  const digests = trace === undefined ? known : knownWithTrace;
  const digest = digests.get(sample) ?? outputDigest({ output }, input, { trace });
  digests.set(sample, digest);
  return digest;
}

interface Sent {
  readonly samples: readonly Sample[];
  readonly digests: readonly string[];
  /** One for each sample. */
  readonly scored: readonly CaseResult[];
}

interface Folded {
  readonly result: ScoredCase;
  /** Whose output the result shows: the first where none decides alone. Undefined where none was sent. */
  readonly sample: Sample | undefined;
}

/** A case from its samples. */
export function foldedCase(evalCase: Judged, sent: Sent, createdAtMs: number): Folded {
  const { samples, scored, digests } = sent;
  const folded = foldCase(evalCase, scored);
  return shownCase({ evalCase, samples, scored, ...folded }, digests, isAdvisory(evalCase, createdAtMs));
}

type JudgedSamples = Omit<JudgedCase<Judged & SuiteCase, Sample>, 'evalCase'> & { readonly evalCase: Judged };

/** As a run answers it. `digests`: one for each sample. */
export function shownCase(judged: JudgedSamples, digests: readonly string[], advisory: boolean): Folded {
  const { evalCase, samples, scored, deciding } = judged;
  const { missing, ...result } = judged.result;
  return {
    result: {
      ...result,
      key: evalCase.key,
      missing: missing === true,
      advisory,
      must_pass: evalCase.must_pass,
      weight: evalCase.weight,
      tags: evalCase.tags,
      output_digest: digests.length === 0 ? null : resultDigest(digests),
      metadata: (evalCase.sample_count === 1 && samples[0]?.metadata) || null,
      ...(evalCase.sample_count > 1 &&
        scored.length > 0 && { samples: shownSamples({ samples, digests, scored }) }),
    },
    sample: deciding === undefined ? undefined : samples[typeof deciding === 'number' ? deciding : 0],
  };
}

const shownSamples = ({ samples, digests, scored }: Sent): ScoredCase['samples'] =>
  scored.map(({ passed, score, reason, scorer_output, fault }, index) => ({
    passed,
    score,
    reason,
    scorer_output: withShortTexts(scorer_output),
    ...(fault && { fault }),
    output_digest: digests[index] === undefined ? null : resultDigest(digests.slice(index, index + 1)),
    metadata: samples[index]?.metadata ?? null,
  }));

/** There may be 20,000 of them in a run. */
export function withShortTexts(output: CaseResult['scorer_output']): CaseResult['scorer_output'] {
  const { value, isCut } = shortTexts(output);
  return isCut ? { ...value, truncated: true } : output;
}

export const gatedCase = (result: ScoredCase): GatedCase => ({
  id: result.case_id,
  key: result.key,
  weight: result.weight ?? 0,
  passed: result.passed,
  errored: result.errored,
  ...(result.fault && { fault: result.fault }),
  missing: result.missing,
  mustPass: result.must_pass,
  tags: result.tags,
  advisory: result.advisory,
});

/** Of a case that models judge: what its comparison with other runs needs beside whether it passed. */
export function judgedOutcome({ output_digest, samples, scorer_output }: ScoredCase): JudgedOutcome {
  const outputs = samples?.map((sample) => sample.scorer_output) ?? [scorer_output];
  return { outputDigest: output_digest, models: distinctModels(outputs.flatMap(answeredModels)) };
}

/** Of all votes. None where no model gave a verdict. */
export function answeredModels(output: CaseResult['scorer_output']): (string | null)[] {
  if (output.answered_model === undefined || output.error !== undefined) return [];
  const votes = Array.isArray(output.votes) ? (output.votes as readonly CaseResult['scorer_output'][]) : [];
  return distinctModels(
    [output, ...votes].map(({ answered_model: model }) => (typeof model === 'string' ? model : null)),
  );
}
