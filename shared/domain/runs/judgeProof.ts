import type { Gates } from '../../contracts/gates.ts';
import { asSha256 } from '../../scoring/digest/documents.ts';
import { hasSeen, type JudgeProof, proofOf } from '../../scoring/judging/proof.ts';
import { distinctModels } from '../../scoring/verdict/baseline/baseline.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { CheckedSuite, CheckReader } from '../judgeChecks/ports.ts';
import type { RunScorer } from '../suites/chains/plannedCase.ts';
import type { SuiteRevision } from '../suites/chains/suiteRevision.ts';
import type { NameJudge } from '../suites/digests/judgeIdentity.ts';
import { digestOfScorer } from '../suites/digests/suiteDigester.ts';
import { scorerDigests } from './baseline/caseDigests.ts';

export interface ProofDeps {
  readonly checks: CheckReader;
  readonly nameJudge: NameJudge;
}

/** A run whose cases have ended: all active ones of the suite, in its order. */
interface JudgedCases {
  readonly suiteRevision: SuiteRevision;
  readonly cases: readonly GatedCase[];
  readonly createdAt: string;
}

/** By the last check of the suite. Undefined where no model judges a case that counts, and without the gate. */
export type ProveJudges = (judged: JudgedCases) => Promise<JudgeProof | undefined>;

/** Given to what concludes runs, which carries no code of scorers. */
export const createProveJudges =
  (deps: ProofDeps): ProveJudges =>
  (judged) =>
    proveJudges(deps, judged);

async function proveJudges(
  { checks, nameJudge }: ProofDeps,
  { suiteRevision, cases, createdAt }: JudgedCases,
): Promise<JudgeProof | undefined> {
  const gate = suiteRevision.settings.gates.judges;
  if (gate === undefined) return undefined;
  const active = await suiteRevision.activeCases();
  const gating = cases.flatMap(({ advisory, judged }, place) => {
    const row = active[place]?.member.row;
    return advisory || judged === undefined || row === undefined ? [] : [{ row, judged }];
  });
  const byScorer = Map.groupBy(gating, ({ row }) => row.scorer_id);
  const [rows, digests] = [await suiteRevision.scorerRows(), await scorerDigests(suiteRevision, nameJudge)];
  const checked = await checkedBefore(checks, suiteRevision.chain, createdAt);
  const judges = [...byScorer].map(([id, judgedBy]) => ({
    scorer: rows.get(id)?.row.key ?? id,
    digest: asSha256(digests[id] ?? ''),
    models: distinctModels(judgedBy.flatMap(({ judged }) => judged.models)),
    lowered: judgedBy.find(({ row }) => row.threshold < (checked.thresholds[row.id] ?? 0))?.row.key,
  }));
  return proofOf({ suite: suiteRevision.place.suite.slug, judges, ...checked }, gate);
}

/** Whether a verdict of this model may be remembered: with the gate, only where a check that counts has seen it. */
export type MayRemember = (scorer: RunScorer, model: string | null) => boolean;

export async function rememberable(
  { checks, nameJudge }: ProofDeps,
  { suite, createdAt }: { readonly suite: CheckedSuite; readonly createdAt: string },
  gate: Gates['judges'],
): Promise<MayRemember> {
  if (gate === undefined) return () => true;
  const checked = await checkedBefore(checks, suite, createdAt);
  return (scorer, model) => hasSeen(model, asSha256(digestOfScorer(scorer, nameJudge)), checked, gate);
}

async function checkedBefore(checks: CheckReader, suite: CheckedSuite, createdAt: string) {
  const { ended } = (await checks.find(suite)) ?? {};
  const check = ended && { endedAtMs: Date.parse(ended.ended_at), judges: ended.judges };
  return { createdAtMs: Date.parse(createdAt), check, thresholds: ended?.thresholds ?? {} };
}
