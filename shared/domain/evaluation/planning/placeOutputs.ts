import { outputsDigest, readsTrace, singleOutputDigest } from '../../../scoring/engine/engine.ts';
import { type AddressedCase, matchOutputs, namesOf } from '../../../scoring/engine/matching.ts';
import { inSentOrder, type PlacedOutput } from '../../runs/outputs/blocks.ts';
import { addressed } from '../../runs/outputs/sampledCases.ts';
import { type Payload, sampleOf } from '../../runs/outputs/submission.ts';
import { sampleDigest } from '../../runs/results/caseResults.ts';
import { plainCase } from '../../suites/chains/suiteRevision.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { Evaluation, PlannedOutputs } from '../evaluation.ts';
import { Expired } from '../samples.ts';
import type { CutSuite } from './cutChunks.ts';
import { groupsOf } from './groupOutputs.ts';

type Deps = Pick<EvaluateDeps, 'evaluations'>;

/** Where the outputs of each chunk lie. They were matched with the cases when the run was accepted. */
export async function placeOutputs(
  deps: Deps,
  evaluation: Evaluation,
  cut: CutSuite,
): Promise<PlannedOutputs> {
  const payload = await deps.evaluations.payload(evaluation);
  if (payload === undefined) throw new Expired();
  const { output, trace, input, blocks } = payload;
  if (blocks !== undefined) return placeBlocks(deps, evaluation, cut, payload);
  return {
    digest: singleOutputDigest(output, input, readsTraces(cut) ? trace : undefined),
    surplus: [],
    surplusOutputs: 0,
    isLong: isLong(output) || isLong(JSON.stringify(input)),
    groups: [],
    counts: [],
  };
}

const readsTraces = ({ cases }: CutSuite): boolean =>
  cases.some(({ scorer }) => readsTrace(scorer?.type ?? ''));

interface PlacedCase extends AddressedCase {
  readonly chunk: number;
  readonly scorerType: string | undefined;
}

/** Of an output that is not in memory any more. */
interface PlacedItem extends Pick<PlacedOutput, 'case' | 'position'> {
  readonly block: number;
  readonly characters: number;
  readonly digest: string;
  readonly isLong: boolean;
}

async function placeBlocks(
  deps: Deps,
  evaluation: Evaluation,
  cut: CutSuite,
  payload: Payload,
): Promise<PlannedOutputs> {
  const cases = cut.cases.map(({ member, chunk, scorer }) => ({
    ...addressed(plainCase(member)),
    chunk,
    scorerType: scorer?.type,
  }));
  const items = await itemsIn(deps, evaluation, payload, cases);
  const matched = matchOutputs(cases, items);
  if ('refused' in matched) {
    const { path, message } = matched.refused;
    throw new Error(`The outputs of run ${evaluation.run.id} do not fit its suite: ${path}: ${message}`);
  }
  const { byCase, surplus, surplusOutputs } = matched;
  const sent = cut.ends.map((): (readonly PlacedItem[])[] => []);
  for (const { id, chunk } of cases) sent[chunk]?.push(byCase.get(id) ?? []);
  const entries = [...byCase].flatMap(([id, ofCase]) =>
    ofCase.map(({ digest }, sample) => [id, sample, digest] as const),
  );
  return {
    digest: outputsDigest(entries),
    surplus,
    surplusOutputs,
    isLong: isLong(JSON.stringify(payload.input)) || items.some((item) => item.isLong),
    groups: sent.map(groupsOf),
    counts: sent.map((chunk) => chunk.map(({ length }) => length)),
  };
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
      items.push({
        case: item.case,
        position: item.position,
        block,
        characters: charactersOf(item),
        isLong: isLong(item.output) || isLong(item.input && JSON.stringify(item.input)),
        digest: sampleDigest(sampleOf(item, input), named(item.case)?.scorerType),
      });
    }
  }
  return inSentOrder(items);
}

/** Above it a text counts as what used up a provider's limit of tokens. */
const SHORT_CHARACTERS_MAX = 20_000;

const isLong = (text = ''): boolean => text.length > SHORT_CHARACTERS_MAX;

const charactersOf = ({ output = '', input, metadata, trace }: PlacedOutput): number =>
  output.length + JSON.stringify([input, metadata, trace]).length;
