import type { Evaluation, EvaluationStore, PlannedCase, PlanningStore } from './ports.ts';

/** A chunk ends at whichever comes first; judged cases take seconds each, the others microseconds. */
const CHUNK_CASES_MAX = 500;
const CHUNK_JUDGED_CASES_MAX = 20;
const CHUNK_BYTES_MAX = 8_000_000;
/** Read at once: at most 50 MB of the largest cases. */
const SLICE_CASES = 100;

interface ChunkDeps {
  readonly evaluations: EvaluationStore;
  readonly planning: PlanningStore;
}

/** Writes the active ones of these cases, as they are now, chunk by chunk. */
export async function writeChunks(
  { evaluations, planning }: ChunkDeps,
  evaluation: Evaluation,
  planner: string,
  caseIds: readonly string[],
): Promise<{ chunks: number; totalCases: number }> {
  let chunks = 0;
  let totalCases = 0;
  let chunk: PlannedCase[] = [];
  let size = EMPTY;
  const flush = async () => {
    if (chunk.length === 0) return;
    await evaluations.savePlannedChunk(evaluation, planner, chunks++, chunk);
    totalCases += chunk.length;
    chunk = [];
    size = EMPTY;
  };
  for (let start = 0; start < caseIds.length; start += SLICE_CASES) {
    const slice = caseIds.slice(start, start + SLICE_CASES);
    for (const planned of await planning.cases(evaluation.orgId, evaluation.run, slice)) {
      size = grown(size, planned, chunk);
      chunk.push(planned);
      if (isFull(chunk.length, size)) await flush();
    }
  }
  await flush();
  return { chunks, totalCases };
}

const EMPTY = { judged: 0, bytes: 0 };

/** A scorer lies in a chunk once, however many of its cases use it. */
function grown(size: typeof EMPTY, planned: PlannedCase, chunk: readonly PlannedCase[]): typeof EMPTY {
  const { scorer, ...own } = planned;
  const isNew = !chunk.some((other) => other.scorer === scorer);
  return {
    judged: size.judged + (scorer?.type === 'llm_judge' ? 1 : 0),
    bytes: size.bytes + bytesOf(own) + (isNew ? bytesOf(scorer) : 0),
  };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const isFull = (cases: number, { judged, bytes }: typeof EMPTY): boolean =>
  cases >= CHUNK_CASES_MAX || judged >= CHUNK_JUDGED_CASES_MAX || bytes >= CHUNK_BYTES_MAX;
