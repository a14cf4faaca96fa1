import { faultOfRun, foldVerdict, NO_FIGURES } from '../../scoring/engine/engine.ts';
import type { JudgeProof } from '../../scoring/judging/proof.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { Ambient } from '../ports.ts';
import { carriedWaiver, digestsOf, waiversOf } from '../runs/baseline/carriedWaiver.ts';
import { baselineOf, keptWith, type RelativeDeps, type RunBaseline } from '../runs/baseline/comparedRun.ts';
import { retriedNotices } from '../runs/baseline/retried.ts';
import type { ProveJudges } from '../runs/judgeProof.ts';
import { blamedResult } from '../runs/results/state.ts';
import { NO_RECORD } from '../runs/results/verdictRecord.ts';
import { suiteRevisionOfRun } from '../runs/suiteRevisionOfRun.ts';
import type { Revisions } from '../suites/chains/chains.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import { timestamp } from '../time.ts';
import type { ChunkPlan, ChunkSummary, ConcludedRun, Evaluation } from './evaluation.ts';
import { blamed, blamedPlaces } from './judging/faults.ts';
import { judgeUsageOf } from './judging/usage.ts';
import type { EndedChunkStore, EvaluationStore, PendingRunStore } from './ports.ts';

/** The end of a run that could not be evaluated: the gate stays closed, and the run is not counted. */
const UNEVALUATED = { status: 'aborted', inconclusive: true, kept: null, refundsUsage: true } as const;

/** No case of it could be judged: the suite is gone, or has changed since the outputs were made for it. */
export const NOTHING_LEFT = { ...NO_FIGURES, ...NO_RECORD, ...UNEVALUATED, fault: 'bar' } as const;

export function completion(run: { created_at: string }, now: number) {
  const createdMs = Date.parse(run.created_at);
  const completedMs = Math.max(now, createdMs);
  return { completed_at: timestamp(completedMs), duration_ms: completedMs - createdMs };
}

type ConcludingStore = PendingRunStore & EndedChunkStore & Pick<EvaluationStore, 'dropPayload'>;

interface Deps extends Pick<Ambient, 'now'> {
  readonly evaluations: ConcludingStore;
  readonly chains: Revisions;
}

/**
 * Ends a run whose chunks have all ended, with the verdict over all of its cases. A repetition changes nothing. `relative`:
 * what it is compared with, and what proves its judges. Without it a run of a suite with a baseline or the gate on judges
 * ends without a verdict.
 */
export async function concludeRun(
  deps: Deps,
  evaluation: Evaluation,
  plan: ChunkPlan,
  relative?: RelativeDeps & { readonly proveJudges: ProveJudges },
): Promise<void> {
  const { evaluations, now } = deps;
  const ended = await evaluations.endedChunks(evaluation);
  const chunks = await settledChunks(evaluations, evaluation, ended);
  const cases = chunks.flatMap((chunk) => [...chunk.cases]);
  const failed = chunks.some((chunk) => chunk.failed);
  // The results of a failed chunk may have expired; no other result may be missing.
  if (ended.size !== plan.ends.length || (!failed && cases.length !== plan.totalCases)) {
    throw new Error(`Run ${evaluation.run.id} has results for ${cases.length} of ${plan.totalCases} cases`);
  }
  const isGateless = cases.every(({ advisory }) => advisory);
  // What has failed, and a suite that is gone, is compared with nothing.
  const isJudged = !failed && !isGateless && !plan.isAbandoned;
  const suiteRevision = isJudged ? await suiteRevisionOfRun(deps, evaluation) : undefined;
  const beside = suiteRevision === undefined ? ALONE : await besideOf(suiteRevision, plan, relative);
  const createdAt = evaluation.run.created_at;
  const proof =
    suiteRevision?.settings.gates.judges && relative
      ? await relative.proveJudges({ suiteRevision, cases, createdAt })
      : undefined;
  const verdict = isGateless ? NOTHING_LEFT : folded(chunks, plan, beside, proof);
  const more =
    suiteRevision && relative
      ? await afterwards(relative, { evaluation, suiteRevision, verdict }, cases)
      : NOTHING_MORE;
  // Before the run ends: if this function dies here, the next one to conclude the run drops the rest.
  await evaluations.dropPayload(evaluation);
  // What has failed, and a suite that is gone, may not be excused with what could not be evaluated.
  const fault = () => (isGateless || plan.isAbandoned ? 'bar' : faultOfRun(cases, plan));
  await evaluations.conclude(evaluation, {
    ...verdict,
    waived: more.waived,
    notices: [...more.notices, ...verdict.notices],
    ...completion(evaluation.run, now()),
    ...((failed || beside === 'unknown') && { ...UNEVALUATED, fault: fault() }),
  });
}

/** Faults depend on what other chunks got answered. */
async function settledChunks(
  evaluations: ConcludingStore,
  evaluation: Evaluation,
  ended: ReadonlyMap<number, ChunkSummary>,
): Promise<readonly ChunkSummary[]> {
  const blamedIn = blamedPlaces([...ended.values()]);
  const settled: ChunkSummary[] = [];
  for (const [chunk, summary] of ended) {
    const places = blamedIn[settled.length] ?? new Set();
    const cases = summary.cases.map((one, place) => (places.has(place) ? blamed(one) : one));
    settled.push({ ...summary, cases });
    if (places.size === 0) continue;
    await evaluations.changeResults(evaluation, chunk, (stored, place) =>
      places.has(place) ? blamedResult(stored) : stored,
    );
  }
  return settled;
}

type Beside = RunBaseline | typeof ALONE | 'unknown';
/** It is compared with nothing. */
const ALONE = null;

/** `unknown`: there is a baseline, or a gate on judges, and this function can't read what it takes. */
async function besideOf(
  suiteRevision: SuiteRevision,
  { suiteDigest, outputs }: ChunkPlan,
  relative: RelativeDeps | undefined,
): Promise<Beside> {
  if (relative === undefined)
    return suiteRevision.baseline === null && !suiteRevision.settings.gates.judges ? ALONE : 'unknown';
  const kind = isSingleIn(outputs) ? 'output' : 'outputs';
  return baselineOf(relative, { suiteRevision, suiteDigest: suiteDigest ?? '', kind });
}

const isSingleIn = ({ counts }: ChunkPlan['outputs']): boolean => counts.length === 0;

const NOTHING_MORE = { waived: null, notices: [] };

interface Ended {
  readonly evaluation: Evaluation;
  readonly suiteRevision: SuiteRevision;
  readonly verdict: Pick<
    ConcludedRun,
    'status' | 'inconclusive' | 'suite_digest' | 'outputs_digest' | 'advisory_cases'
  >;
}

/** What is said of a verdict beside it. */
async function afterwards(
  relative: RelativeDeps,
  { evaluation: { orgId, run, runToken }, suiteRevision, verdict }: Ended,
  cases: readonly GatedCase[],
): Promise<Pick<ConcludedRun, 'waived' | 'notices'>> {
  const { status, inconclusive } = verdict;
  const ended = {
    orgId,
    suiteId: run.suite_id,
    createdBy: run.created_by,
    runToken,
    triggerMeta: run.trigger_meta,
    suiteRevision,
    verdict,
  };
  const createdAt = run.created_at;
  const waivers = await waiversOf(relative, { suiteRevision, createdAt, digests: digestsOf(verdict) });
  return {
    waived: carriedWaiver(waivers, { createdAt, status, inconclusive }, cases),
    notices: await retriedNotices(relative, ended),
  };
}

const NOTICES_MAX = 20;

function folded(
  chunks: readonly ChunkSummary[],
  plan: ChunkPlan,
  beside: Beside,
  proof: JudgeProof | undefined,
) {
  const cases = chunks.flatMap((chunk) => [...chunk.cases]);
  const { suiteDigest, passThreshold, outputs } = plan;
  const baseline = beside === 'unknown' ? null : beside;
  const { compared, ...verdict } = foldVerdict(cases, plan, baseline?.against, proof);
  return {
    ...verdict,
    suite_digest: suiteDigest,
    outputs_digest: outputs.digest,
    judge_usage: judgeUsageOf(chunks),
    surplus: outputs.surplus,
    surplus_outputs: outputs.surplusOutputs,
    isSingle: isSingleIn(outputs),
    compared: keptWith(baseline, compared),
    // A plan of what a deleted suite has left knows no bar.
    pass_threshold: plan.isAbandoned ? null : passThreshold,
    notices: chunks.flatMap(({ notices }) => [...notices]).slice(0, NOTICES_MAX),
    refundsUsage: false,
  };
}
