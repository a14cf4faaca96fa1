import type { JudgeIdentity } from '../suites/bar/judgeIdentity.ts';
import { rulesOf } from '../suites/bar/rules.ts';
import { judgeModelsOf } from '../suites/bar/suiteDigest.ts';
import { type PackStore, packRevision } from '../suites/packs/packedSuites.ts';
import type { PlannedCase } from '../suites/packs/plannedCase.ts';
import { writeChunks } from '../suites/packs/writeChunks.ts';
import type { SuitePush, WholeSuite } from './ports.ts';

interface Deps {
  readonly packs: Pick<PackStore, 'saveChunk'>;
  readonly judgeIdentity: JudgeIdentity;
}

interface Packing {
  readonly orgId: string;
  /** That the push makes. */
  readonly revision: string;
  readonly planner: string;
  readonly startedAtMs: number;
  readonly suiteDigest: string;
}

/** Writes the suite's active cases as runs read them. The pack that names them is written by the push itself. */
export async function packPushed(
  { packs, judgeIdentity }: Deps,
  { suite, cases, scorers }: WholeSuite,
  { orgId, revision, planner, startedAtMs, suiteDigest }: Packing,
): Promise<SuitePush['pack']> {
  const active = cases.filter(({ is_active }) => is_active);
  if (active.length === 0) return undefined;
  const planned = active.map((one): PlannedCase => {
    const { id, name, input, expected, threshold, weight } = one;
    const scorer = scorers.get(one.scorer_id) ?? null;
    return { id, name, input, expected, threshold, weight, ...rulesOf(one), scorer };
  });
  const place = { orgId, suiteId: suite.id, planner, startedAtMs };
  const written = await writeChunks(packs, place, [planned]);
  const bar = { passThreshold: suite.pass_threshold, gates: suite.gates, keepOutputs: suite.keep_outputs };
  const judgeModels = judgeModelsOf(
    planned.map(({ scorer }) => scorer),
    judgeIdentity,
  );
  return {
    revision: packRevision(revision, judgeIdentity),
    suite: { ...written, ...bar, planner, suiteDigest, judgeModels },
  };
}
