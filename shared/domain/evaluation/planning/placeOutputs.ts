import { outputsDigest, readsMetadata, singleOutputDigest } from '../../../scoring/engine/engine.ts';
import { inSentOrder, type PlacedOutput } from '../../runs/outputs/blocks.ts';
import { type AddressedCase, matchOutputs, namesOf } from '../../runs/outputs/matching.ts';
import { addressed } from '../../runs/outputs/sampledCases.ts';
import { type Payload, sampleOf } from '../../runs/outputs/submission.ts';
import { ALL_ADVISORY_NOTICE } from '../../runs/refusals/suites.ts';
import { sampleDigest } from '../../runs/results/caseResults.ts';
import { isAllAdvisory } from '../../suites/bar/rules.ts';
import type { PackedSuite } from '../../suites/packs/packedSuites.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation, PlannedOutputs } from '../evaluation.ts';
import { Expired } from '../samples.ts';
import { groupsOf } from './groupOutputs.ts';
import { OutputsMismatch } from './outputsMismatch.ts';

type Deps = Pick<EvaluateDeps, 'evaluations'>;

/** Compares what was sent with the suite as it was packed. Throws `OutputsMismatch`. */
export async function placeOutputs(
  deps: Deps,
  evaluation: Evaluation,
  pack: PackedSuite,
): Promise<PlannedOutputs> {
  const payload = await deps.evaluations.payload(evaluation);
  if (payload === undefined) throw new Expired();
  const { suite_digest, output, input } = payload;
  if (suite_digest !== undefined && suite_digest !== pack.suiteDigest) {
    throw new OutputsMismatch(
      'SUITE_CHANGED',
      `The suite changed before the run began: it is ${pack.suiteDigest} now.`,
    );
  }
  if (isAllAdvisory(pack, Date.parse(evaluation.run.created_at)))
    throw new OutputsMismatch(ALL_ADVISORY_NOTICE.code, ALL_ADVISORY_NOTICE.message);
  if (output === undefined) return placeBlocks(deps, evaluation, pack, payload);
  if (pack.extraOutputs > 0) {
    throw new OutputsMismatch(
      'OUTPUTS_REFUSED',
      'Some case takes several outputs, and one was sent: send outputs.',
    );
  }
  return {
    digest: singleOutputDigest(output, input),
    surplus: [],
    surplusOutputs: 0,
    groups: [],
    counts: [],
  };
}

interface PlacedCase extends AddressedCase {
  readonly chunk: number;
  readonly readsMetadata: boolean;
}

/** Of an output that is not in memory any more. */
interface PlacedItem extends Pick<PlacedOutput, 'case' | 'position'> {
  readonly block: number;
  readonly characters: number;
  readonly digest: string;
}

async function placeBlocks(
  deps: Deps,
  evaluation: Evaluation,
  pack: PackedSuite,
  payload: Payload,
): Promise<PlannedOutputs> {
  const cases = await casesIn(deps, evaluation, pack);
  const items = await itemsIn(deps, evaluation, payload, cases);
  const matched = matchOutputs(cases, items);
  if ('refused' in matched) {
    const { path, message } = matched.refused;
    throw new OutputsMismatch('OUTPUTS_REFUSED', `${path}: ${message}`);
  }
  const { byCase, surplus, surplusOutputs } = matched;
  const sent = Array.from({ length: pack.chunks }, (): (readonly PlacedItem[])[] => []);
  for (const { id, chunk } of cases) sent[chunk]?.push(byCase.get(id) ?? []);
  const entries = [...byCase].flatMap(([id, own]) =>
    own.map(({ digest }, sample) => [id, sample, digest] as const),
  );
  return {
    digest: outputsDigest(entries),
    surplus,
    surplusOutputs,
    groups: sent.map(groupsOf),
    counts: sent.map((chunk) => chunk.map(({ length }) => length)),
  };
}

/** Chunk by chunk: only one of them is in memory. */
async function casesIn({ evaluations }: Deps, evaluation: Evaluation, { planner, chunks }: PackedSuite) {
  const createdAtMs = Date.parse(evaluation.run.created_at);
  const cases: PlacedCase[] = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    const planned = await evaluations.plannedChunk({ ...evaluation, planner }, chunk);
    if (planned === undefined) throw new Error('The suite was packed, and has expired');
    for (const evalCase of planned) {
      const reads = readsMetadata(evalCase.scorer?.type ?? '');
      cases.push({ ...addressed(evalCase, createdAtMs), chunk, readsMetadata: reads });
    }
  }
  return cases;
}

/** Block by block: only one of them is in memory. */
async function itemsIn(
  { evaluations }: Deps,
  evaluation: Evaluation,
  { blocks = 0, input }: Payload,
  cases: readonly PlacedCase[],
): Promise<PlacedItem[]> {
  const named = namesOf(cases);
  const items: PlacedItem[] = [];
  for (let block = 0; block < blocks; block++) {
    const outputs = await evaluations.outputBlock(evaluation, block);
    if (outputs === undefined) throw new Expired();
    for (const item of outputs) {
      const reads = named(item.case)?.readsMetadata === true;
      items.push({
        case: item.case,
        position: item.position,
        block,
        characters: charactersOf(item),
        digest: sampleDigest(sampleOf(item, input), reads),
      });
    }
  }
  return inSentOrder(items);
}

const charactersOf = ({ output = '', input, metadata }: PlacedOutput): number =>
  output.length + JSON.stringify([input, metadata]).length;
