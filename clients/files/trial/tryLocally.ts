import type * as z from 'zod';
import type { runVerdictSchema } from '../../../shared/contracts/runs.ts';
import type { JudgedCase } from '../../../shared/scoring/engine/cases.ts';
import {
  foldVerdict,
  gatedCase,
  isJudged,
  judgeCases,
  prepareSuite,
} from '../../../shared/scoring/engine/engine.ts';
import type { RefusedOutputs } from '../../../shared/scoring/engine/matching.ts';
import type { SentOutput } from '../../../shared/scoring/kit/types.ts';
import { verdictDetail } from '../../../shared/scoring/verdict/detail.ts';
import type { CaseFields } from '../resolve/cases.ts';
import type { SuiteDefinition } from '../resolve/definition.ts';
import { type LocalCase, ruledCase } from './ruledCase.ts';
import { type Submission, samplesOf } from './samples.ts';

type RunVerdict = z.output<typeof runVerdictSchema>;
type OfStoredRuns = 'id' | 'suite_digest' | 'outputs_digest' | 'judge_usage' | 'duration_ms' | 'notices';

/** What the service would answer, but for what only a stored run has. Ids are keys. */
export type LocalVerdict = Omit<RunVerdict, OfStoredRuns>;

/** There is no verdict: only the service has the keys of models, and a verdict without them would be another bar's. */
export interface NotJudged extends Pick<LocalVerdict, 'surplus' | 'surplus_outputs'> {
  readonly outcome: 'not_judged';
  /** Active cases with outputs that a model has to judge. */
  readonly not_judged: readonly { readonly case: string; readonly key: string; readonly advisory: boolean }[];
  /** Of all other cases, as the service would answer them. */
  readonly scores: LocalVerdict['scores'];
  readonly idle_rules: readonly string[];
}

/** `refused`: a run would be refused, too. */
export type Tried =
  | {
      readonly outcome: 'verdict';
      readonly verdict: LocalVerdict;
      /** Names of rules of traces that applied to no call. */
      readonly idle_rules: readonly string[];
    }
  | { readonly outcome: 'refused'; readonly refusal: RefusedOutputs['refused'] }
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
  const sampled = samplesOf(active, submission);
  const ruled = active.map((fields) => ruledCase(fields, scorers, nowMs));
  if (ruled.every(({ advisory }) => advisory)) return { outcome: 'refused', refusal: nothingGates(active) };
  if ('refused' in sampled) return { outcome: 'refused', refusal: sampled.refused };
  const prepared = await prepareSuite({ passThreshold: suite.pass_threshold, cases: ruled });
  const answered = { cases: ruled, prepared, samples: sampled.samples };
  const judged = judgeCases(answered, () => performance.now());
  const surplus = { surplus_outputs: sampled.surplusOutputs, surplus: [...sampled.surplus] };
  const [open, decided] = [judged.filter(needsModel), judged.filter((one) => !needsModel(one))];
  const idle_rules = idleRules(judged);
  if (open.length > 0) {
    const [not_judged, scores] = [open.map(named), decided.map(scoreOf)];
    return { outcome: 'not_judged', not_judged, scores, idle_rules, ...surplus };
  }
  return { outcome: 'verdict', verdict: { ...verdictOf(judged, suite), ...surplus }, idle_rules };
}

/** A rule that names a tool wrongly is kept by each trace. */
function idleRules(judged: readonly Judged[]): string[] {
  const applied = new Map<string, number>();
  for (const { rules = [] } of judged.flatMap(({ scored }) =>
    scored.map((one) => one.scorer_output as Judging),
  ))
    for (const rule of rules) applied.set(rule.name, (applied.get(rule.name) ?? 0) + rule.applied);
  return [...applied].filter(([, calls]) => calls === 0).map(([name]) => name);
}

interface Judging {
  readonly rules?: readonly { readonly name: string; readonly applied: number }[];
}

type Judged = JudgedCase<LocalCase, SentOutput>;

const nothingGates = (active: readonly CaseFields[]): RefusedOutputs['refused'] => ({
  path: 'suite',
  message:
    active.length === 0
      ? 'has no active case, and a gate that checks nothing must not clear: add one first'
      : 'has advisory cases only, and a gate that checks nothing must not clear: end the advisory of one first',
});

/** Without a model, an output that needs one is scored as an error. It matters where the case is one, too. */
const needsModel = ({ evalCase, samples, result }: Judged): boolean =>
  isJudged(evalCase.scorer) && result.errored && samples.some(({ output }) => output !== undefined);

const named = ({ evalCase: { name, key, advisory } }: Judged) => ({ case: name, key, advisory });

function scoreOf({ evalCase, result }: Judged): LocalVerdict['scores'][number] {
  const { case_name, case_id, passed, score, threshold, reason, missing, fault } = result;
  return {
    case: case_name,
    case_id,
    key: case_id,
    passed,
    score,
    threshold,
    reason,
    missing: missing === true,
    ...(fault && { fault }),
    advisory: evalCase.advisory,
  };
}

function verdictOf(
  cases: readonly Judged[],
  { pass_threshold, gates }: SuiteDefinition['suite'],
): Omit<LocalVerdict, 'surplus' | 'surplus_outputs'> {
  const gated = cases.map(({ evalCase, result }) => gatedCase(evalCase, result, evalCase.advisory));
  const { kept, ...figures } = foldVerdict(gated, { passThreshold: pass_threshold, gates });
  const scores = cases.map(scoreOf);
  return {
    ...figures,
    passed: figures.status === 'cleared',
    pass_threshold,
    verdict: verdictDetail(figures, pass_threshold, kept),
    baseline_id: null,
    comparison: null,
    waiver: null,
    scores,
    failures: scores
      .filter(({ passed, advisory }) => !passed && !advisory)
      .map(({ passed: _, ...failure }) => failure),
  };
}
