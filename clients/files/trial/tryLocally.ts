import type * as z from 'zod';
import type { runVerdictSchema } from '../../../shared/contracts/runs.ts';
import {
  foldSamples,
  foldVerdict,
  isJudged,
  missingResult,
  prepareSuite,
  scoreSuite,
} from '../../../shared/scoring/engine/engine.ts';
import type { CaseResult, SentOutput, SuiteCase, SuiteScorer } from '../../../shared/scoring/kit/types.ts';
import { verdictDetail } from '../../../shared/scoring/verdict/detail.ts';
import type { CaseFields } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import type { ScorerFields } from '../resolve/scorers.ts';
import { type Refusal, type Submission, samplesOf } from './samples.ts';

type RunVerdict = z.output<typeof runVerdictSchema>;
type OfStoredRuns = 'id' | 'suite_digest' | 'outputs_digest' | 'duration_ms' | 'notices';

/** What the service would answer, but for what only a stored run has. Ids are keys. */
export type LocalVerdict = Omit<RunVerdict, OfStoredRuns>;

/** There is no verdict: only the service has the keys of models, and a verdict without them would be another bar's. */
export interface NotJudged extends Pick<LocalVerdict, 'surplus' | 'surplus_outputs'> {
  readonly outcome: 'not_judged';
  /** Active cases with outputs that a model has to judge. */
  readonly not_judged: readonly { readonly case: string; readonly key: string; readonly advisory: boolean }[];
  /** Of all other cases, as the service would answer them. */
  readonly scores: LocalVerdict['scores'];
}

/** `refused`: a run would be refused, too. */
export type Tried =
  | { readonly outcome: 'verdict'; readonly verdict: LocalVerdict }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | NotJudged;

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
  const judged = await judgedCases(
    active.map((fields, index) => ({
      fields,
      evalCase: suiteCase(fields, scorers),
      samples: sampled.samples[index] ?? [],
      advisory: isAdvisory(fields, nowMs),
    })),
    suite.pass_threshold,
  );
  const surplus = { surplus_outputs: sampled.surplusOutputs, surplus: [...sampled.surplus] };
  const [open, decided] = [judged.filter(needsModel), judged.filter((one) => !needsModel(one))];
  if (open.length > 0)
    return { outcome: 'not_judged', not_judged: open.map(named), scores: decided.map(scoreOf), ...surplus };
  return { outcome: 'verdict', verdict: { ...verdictOf(judged, suite), ...surplus } };
}

interface SampledCase {
  readonly fields: CaseFields;
  readonly evalCase: SuiteCase;
  readonly samples: readonly SentOutput[];
  readonly advisory: boolean;
}

interface JudgedCase extends SampledCase {
  readonly result: CaseResult;
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

/** Without a model, an output that needs one is scored as an error. It matters where the case is one, too. */
const needsModel = ({ evalCase, samples, result }: JudgedCase): boolean =>
  isJudged(evalCase.scorer) && result.errored && samples.some(({ output }) => output !== undefined);

const named = ({ fields: { name, key }, advisory }: JudgedCase) => ({ case: name, key, advisory });

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

async function judgedCases(cases: readonly SampledCase[], passThreshold: number): Promise<JudgedCase[]> {
  const prepared = await prepareSuite({ passThreshold, cases: cases.map(({ evalCase }) => evalCase) });
  const outputsOf = (index: number) => cases[index]?.samples ?? [];
  const scored = scoreSuite(prepared, { outputsOf, now: () => performance.now() });
  return cases.map((one, index) => ({ ...one, result: resultOf(one, scored[index] ?? []) }));
}

function resultOf({ fields, evalCase }: SampledCase, samples: readonly CaseResult[]): CaseResult {
  if (samples.length === 0) return missingResult(evalCase);
  return foldSamples(samples, { sampleCount: fields.sample_count, samplePassRate: fields.sample_pass_rate });
}

function scoreOf({ result, advisory }: JudgedCase): LocalVerdict['scores'][number] {
  const { case_name, case_id, passed, score, threshold, reason, missing, fault } = result;
  return {
    ...{ case: case_name, case_id, key: case_id, passed, score, threshold, reason },
    ...{ missing: missing === true, ...(fault && { fault }), advisory },
  };
}

function verdictOf(
  cases: readonly JudgedCase[],
  { pass_threshold, gates }: SuiteDefinition['suite'],
): Omit<LocalVerdict, 'surplus' | 'surplus_outputs'> {
  const gated = cases.map(({ fields, advisory, result }) => {
    const { key, weight, must_pass: mustPass, tags } = fields;
    const { passed, errored, fault, missing } = result;
    const state = { passed, errored, fault, missing: missing === true };
    return { id: key, key, weight, mustPass, tags, advisory, ...state };
  });
  const { kept, ...figures } = foldVerdict(gated, { passThreshold: pass_threshold, gates });
  const scores = cases.map(scoreOf);
  return {
    ...figures,
    passed: figures.status === 'cleared',
    pass_threshold,
    verdict: verdictDetail(figures, pass_threshold, kept),
    ...{ baseline_id: null, comparison: null, waiver: null },
    scores,
    failures: scores
      .filter(({ passed, advisory }) => !passed && !advisory)
      .map(({ passed: _, ...failure }) => failure),
  };
}
