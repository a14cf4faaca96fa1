import type * as z from 'zod';
import type { runVerdictSchema } from '../../shared/contracts/runs.ts';
import {
  decidingSample,
  foldSamples,
  foldVerdict,
  isJudged,
  missingResult,
  prepareSuite,
  scoreSuite,
} from '../../shared/scoring/engine.ts';
import type { CaseResult, SentOutput, SuiteCase, SuiteScorer } from '../../shared/scoring/types.ts';
import { verdictDetail } from '../../shared/scoring/verdict/detail.ts';
import type { CaseFields } from './definedCases.ts';
import type { ScorerFields } from './definedScorers.ts';
import type { SuiteDefinition } from './definition.ts';
import { type Refusal, type Submission, samplesOf } from './trial/samples.ts';

type RunVerdict = z.output<typeof runVerdictSchema>;
type OfStoredRuns = 'id' | 'suite_digest' | 'outputs_digest' | 'duration_ms' | 'notices';

/** What the service would answer, but for what only a stored run has. Ids are keys. */
export interface LocalVerdict extends Omit<RunVerdict, OfStoredRuns> {
  /** Active cases that a model judges. They are in no figure: only the service has the keys. */
  readonly not_judged: readonly { readonly case: string; readonly key: string; readonly advisory: boolean }[];
}

/** `refused`: a run would be refused, too. `not_judged`: a model would have to judge every case that decides. */
export type Tried =
  | { readonly outcome: 'verdict'; readonly verdict: LocalVerdict }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'not_judged'; readonly not_judged: LocalVerdict['not_judged'] };

interface Clock {
  /** When the run would be created: advisories end by it. */
  readonly nowMs: number;
}

/** Scores a suite on this machine, with the engine of the service. Nothing is sent or counted. */
export async function tryLocally(
  { suite, scorers, cases }: SuiteDefinition,
  submission: Submission,
  { nowMs }: Clock,
): Promise<Tried> {
  const active = cases.filter(({ is_active }) => is_active);
  const isGating = (evalCase: CaseFields) => !isAdvisory(evalCase, nowMs);
  if (!active.some(isGating)) return { outcome: 'refused', refusal: nothingGates(active) };
  const sampled = samplesOf(active, submission);
  if ('refused' in sampled) return { outcome: 'refused', refusal: sampled.refused };
  const all = active.map((fields, index) => ({
    fields,
    evalCase: suiteCase(fields, scorers),
    samples: sampled.samples[index] ?? [],
  }));
  const own = all.filter(({ evalCase }) => !isJudged(evalCase.scorer));
  const notJudged = all
    .filter(({ evalCase }) => isJudged(evalCase.scorer))
    .map(({ fields }) => shown(fields, nowMs));
  if (!own.some(({ fields }) => isGating(fields))) return { outcome: 'not_judged', not_judged: notJudged };
  const results = await resultsOf(own, suite.pass_threshold);
  const verdict = { ...verdictOf(own, results, suite, nowMs), ...surplusOf(sampled), not_judged: notJudged };
  return { outcome: 'verdict', verdict };
}

interface OwnCase {
  readonly fields: CaseFields;
  readonly evalCase: SuiteCase;
  readonly samples: readonly SentOutput[];
}

const isAdvisory = ({ advisory }: CaseFields, nowMs: number): boolean =>
  advisory !== null && nowMs < Date.parse(advisory.expires_at);

const nothingGates = (active: readonly CaseFields[]): Refusal => ({
  path: 'suite',
  message:
    active.length === 0
      ? 'has no active case, and a gate that checks nothing must not clear: add one first'
      : 'has advisory cases only, and a gate that checks nothing must not clear: end the advisory of one first',
});

const shown = (fields: CaseFields, nowMs: number) => ({
  case: fields.name,
  key: fields.key,
  advisory: isAdvisory(fields, nowMs),
});

const surplusOf = (sampled: { surplus: readonly string[]; surplusOutputs: number }) => ({
  surplus_outputs: sampled.surplusOutputs,
  surplus: [...sampled.surplus],
});

const suiteCase = (fields: CaseFields, scorers: ReadonlyMap<string, ScorerFields>): SuiteCase => ({
  id: fields.key,
  name: fields.name,
  expected: fields.expected,
  threshold: fields.threshold,
  weight: fields.weight,
  scorer: scorerOf(scorers.get(fields.scorer)),
});

const scorerOf = (fields: ScorerFields | undefined): SuiteScorer | null =>
  fields === undefined ? null : { ...fields, id: fields.key };

async function resultsOf(own: readonly OwnCase[], passThreshold: number): Promise<CaseResult[]> {
  const prepared = await prepareSuite({ passThreshold, cases: own.map(({ evalCase }) => evalCase) });
  const outputsOf = (index: number) => own[index]?.samples ?? [];
  const scored = scoreSuite(prepared, { outputsOf, now: () => performance.now() });
  return own.map(({ fields, evalCase }, index) => {
    const samples = scored[index] ?? [];
    if (samples.length === 0) return missingResult(evalCase);
    const rule = { sampleCount: fields.sample_count, samplePassRate: fields.sample_pass_rate };
    return foldSamples(samples, rule, decidingSample(samples, rule));
  });
}

type Figures = Omit<LocalVerdict, 'surplus' | 'surplus_outputs' | 'not_judged'>;

function verdictOf(
  own: readonly OwnCase[],
  results: readonly CaseResult[],
  { pass_threshold, gates }: SuiteDefinition['suite'],
  nowMs: number,
): Figures {
  const gated = own.map(({ fields }, index) => {
    const { passed = false, errored = true, missing = false } = results[index] ?? {};
    const { key, weight, must_pass: mustPass, tags } = fields;
    const advisory = isAdvisory(fields, nowMs);
    return { id: key, key, weight, mustPass, tags, advisory, passed, errored, missing: missing === true };
  });
  const { kept, ...figures } = foldVerdict(gated, { passThreshold: pass_threshold, gates });
  const scores = results.map(({ case_name, case_id, passed, score, threshold, reason, missing }, index) => ({
    ...{ case: case_name, case_id, key: case_id, passed, score, threshold, reason },
    ...{ missing: missing === true, advisory: gated[index]?.advisory === true },
  }));
  return {
    ...figures,
    passed: figures.status === 'cleared',
    pass_threshold,
    verdict: verdictDetail(figures, pass_threshold, kept),
    scores,
    failures: scores
      .filter(({ passed, advisory }) => !passed && !advisory)
      .map(({ passed: _, ...failure }) => failure),
  };
}
