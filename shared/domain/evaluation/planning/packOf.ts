import { judgeModelsOf, SuiteDigester } from '../../suites/bar/suiteDigest.ts';
import { type PackedSuite, packRevision } from '../../suites/packs/packedSuites.ts';
import type { ReadCase } from '../../suites/packs/plannedCase.ts';
import { writeChunks } from '../../suites/packs/writeChunks.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation } from '../evaluation.ts';
import { chunksPlace, slicesOf } from './caseSlices.ts';

const PLANNINGS_MAX = 5;

type Deps = Pick<EvaluateDeps, 'planning' | 'newId' | 'judgeIdentity'>;

/** The suite as it is now: as an earlier run has packed it, or packed for this one. Undefined without active cases. */
export async function packOf(deps: Deps, evaluation: Evaluation): Promise<PackedSuite | undefined> {
  const { planning, judgeIdentity } = deps;
  const { orgId, run } = evaluation;
  const startedAtMs = Date.parse(run.created_at);
  for (let planningNumber = 1; ; planningNumber++) {
    const revision = await planning.revision(orgId, run);
    if (revision === undefined) return undefined;
    const at = { orgId, suiteId: run.suite_id, revision: packRevision(revision, judgeIdentity) };
    const known = await planning.pack(at, startedAtMs);
    if (known !== undefined) return known;
    const pack = await writePack({ ...deps, planning: await planning.inForce(orgId, run) }, evaluation);
    if (pack === undefined) return undefined;
    // If the suite was edited meanwhile, the chunks may be of two revisions.
    if ((await planning.revision(orgId, run)) === revision) {
      await planning.savePack(at, pack, startedAtMs);
      return pack;
    }
    // Under constant editing the last attempt takes each case as it was when it was read, for this run alone.
    if (planningNumber === PLANNINGS_MAX) return pack;
  }
}

async function writePack(
  { planning, newId, judgeIdentity }: Deps,
  evaluation: Evaluation,
): Promise<PackedSuite | undefined> {
  const outline = await planning.outline(evaluation.orgId, evaluation.run);
  if (outline === undefined) return undefined;
  const planner = newId();
  const { caseIds, ...bar } = outline;
  const digester = new SuiteDigester(judgeIdentity);
  const scorers = new Map<string | undefined, ReadCase['scorer']>();
  const seen = (evalCase: ReadCase) => {
    digester.add(evalCase);
    scorers.set(evalCase.scorer?.id, evalCase.scorer);
  };
  const slices = withoutDigests(slicesOf(planning, evaluation, caseIds), seen);
  const written = await writeChunks(planning, chunksPlace(evaluation, planner), slices);
  if (written.chunks === 0) return undefined;
  const judgeModels = judgeModelsOf(scorers.values(), judgeIdentity);
  return { ...written, ...bar, planner, suiteDigest: digester.digest(bar), judgeModels };
}

async function* withoutDigests(
  slices: AsyncIterable<readonly ReadCase[]>,
  seen: (evalCase: ReadCase) => void,
) {
  for await (const cases of slices) {
    for (const evalCase of cases) seen(evalCase);
    yield cases.map(({ input_digest: _, expected_digest: __, ...planned }) => planned);
  }
}
