import { isJudged, judgeProviderOf } from '../../../scoring/engine.ts';
import { canonicalProvider, type Provider } from '../../byok/providers.ts';
import type { Evaluation, Judges, PlannedCase } from '../evaluation.ts';
import { CHUNK_BYTES_MAX, CHUNK_CASES_MAX, CHUNK_JUDGED_CASES_MAX } from '../limits.ts';
import type { ChunkPlanStore, PlanningStore } from '../ports.ts';

/** Read at once. A function of 256 MB holds these bytes four times: as sent, as attributes, as text, as cases. */
const SLICE_BYTES = 5_000_000;
const SLICE_CASES_MAX = 100;
/** Before the size of the cases is known: 10 MB if they are of the largest size. */
const FIRST_SLICE_CASES = 20;

interface ChunkDeps {
  readonly evaluations: ChunkPlanStore;
  readonly planning: PlanningStore;
}

export async function writeChunks(
  { evaluations, planning }: ChunkDeps,
  evaluation: Evaluation,
  planner: string,
  caseIds: readonly string[],
): Promise<{ chunks: number; totalCases: number; judges: Judges }> {
  const judges: Partial<Record<Provider, number[]>> = {};
  let chunks = 0;
  let totalCases = 0;
  let chunk: PlannedCase[] = [];
  let size = EMPTY;
  const flush = async () => {
    if (chunk.length === 0) return;
    for (const provider of providersOf(chunk)) judges[provider] = [...(judges[provider] ?? []), chunks];
    await evaluations.savePlannedChunk(evaluation, planner, chunks++, chunk);
    totalCases += chunk.length;
    chunk = [];
    size = EMPTY;
  };
  let sliceCases = FIRST_SLICE_CASES;
  for (let start = 0, end = 0; start < caseIds.length; start = end) {
    end = start + sliceCases;
    const read = await planning.cases(evaluation.orgId, evaluation.run, caseIds.slice(start, end));
    const cases = read.map(withoutUnreadInput);
    sliceCases = sliceLike(cases);
    for (const planned of cases) {
      size = grown(size, planned, chunk);
      chunk.push(planned);
      if (isFull(chunk.length, size)) await flush();
    }
  }
  await flush();
  return { chunks, totalCases, judges };
}

/** Only judges are shown the input of a case. */
const withoutUnreadInput = (planned: PlannedCase): PlannedCase =>
  isJudged(planned.scorer) ? planned : { ...planned, input: {} };

function providersOf(chunk: readonly PlannedCase[]): Set<Provider> {
  const values = new Set(chunk.map(({ scorer }) => judgeProviderOf(scorer)));
  return new Set([...values].flatMap((value) => (value === undefined ? [] : canonicalProvider(value))));
}

/** How many cases to read next, if they are as large as these. */
function sliceLike(cases: readonly PlannedCase[]): number {
  if (cases.length === 0) return SLICE_CASES_MAX;
  const bytes = cases.reduce((sum, { scorer: _, ...own }) => sum + bytesOf(own), 0);
  return Math.max(1, Math.min(SLICE_CASES_MAX, Math.floor((cases.length * SLICE_BYTES) / bytes)));
}

const EMPTY = { judged: 0, bytes: 0 };

/** A chunk holds each scorer once, however many of its cases use it. */
function grown(size: typeof EMPTY, planned: PlannedCase, chunk: readonly PlannedCase[]): typeof EMPTY {
  const { scorer, ...own } = planned;
  const isNew = !chunk.some((other) => other.scorer === scorer);
  return {
    judged: size.judged + (isJudged(scorer) ? 1 : 0),
    bytes: size.bytes + bytesOf(own) + (isNew ? bytesOf(scorer) : 0),
  };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const isFull = (cases: number, { judged, bytes }: typeof EMPTY): boolean =>
  cases >= CHUNK_CASES_MAX || judged >= CHUNK_JUDGED_CASES_MAX || bytes >= CHUNK_BYTES_MAX;
