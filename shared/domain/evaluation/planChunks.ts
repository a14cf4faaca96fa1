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
  let size = { judged: 0, bytes: 0 };
  const flush = async () => {
    if (chunk.length === 0) return;
    await evaluations.savePlannedChunk(evaluation, planner, chunks++, chunk);
    totalCases += chunk.length;
    chunk = [];
    size = { judged: 0, bytes: 0 };
  };
  for (let start = 0; start < caseIds.length; start += SLICE_CASES) {
    const slice = caseIds.slice(start, start + SLICE_CASES);
    for (const planned of await planning.cases(evaluation.orgId, evaluation.run, slice)) {
      chunk.push(planned);
      size = grown(size, planned);
      if (isFull(chunk.length, size)) await flush();
    }
  }
  await flush();
  return { chunks, totalCases };
}

const grown = (size: { judged: number; bytes: number }, planned: PlannedCase) => ({
  judged: size.judged + (planned.scorer?.type === 'llm_judge' ? 1 : 0),
  bytes: size.bytes + JSON.stringify([planned.input, planned.expected]).length,
});

const isFull = (cases: number, { judged, bytes }: { judged: number; bytes: number }): boolean =>
  cases >= CHUNK_CASES_MAX || judged >= CHUNK_JUDGED_CASES_MAX || bytes >= CHUNK_BYTES_MAX;
