/** A chunk ends before whichever bound comes first. A judged case takes seconds, any other microseconds. */
export const CHUNK_CASES_MAX = 500;
/** Each has a result of its own, and the samples of a case are never divided. */
export const CHUNK_OUTPUTS_MAX = 500;
/** Replies of 200 kB each would still fit into the memory of the evaluator. */
export const CHUNK_JUDGED_OUTPUTS_MAX = 200;
/** Of texts as JSON: those of the cases, and of each scorer once. */
export const CHUNK_BYTES_MAX = 3_000_000;

/** An active case, as it counts in a chunk. */
export interface WeighedCase {
  /** Among all cases of its suite. */
  readonly position: number;
  readonly bytes: number;
  readonly outputs: number;
  /** Undefined for a deleted one. */
  readonly scorer: WeighedScorer | undefined;
}

/** The same object for the same scorer. */
export interface WeighedScorer {
  readonly bytes: number;
  readonly isJudged: boolean;
}

/**
 * The positions at which the chunks of these cases end, which are all active ones of a suite, in order: the first chunk
 * begins at 0, each further one where the one before it ends. A case that alone is beyond a bound is a chunk of its own.
 */
export function chunkEnds(cases: readonly WeighedCase[]): number[] {
  const ends: number[] = [];
  let chunk = new Chunk();
  for (const evalCase of cases) {
    if (!chunk.takes(evalCase)) {
      ends.push(evalCase.position);
      chunk = new Chunk();
      chunk.takes(evalCase);
    }
  }
  const last = cases.at(-1);
  return last === undefined ? [] : [...ends, last.position + 1];
}

/** The places of a chunk's cases among all of its suite: from one to before another. */
export const rangeOf = (ends: readonly number[], chunk: number) => ({
  from: ends[chunk - 1] ?? 0,
  to: ends[chunk] ?? 0,
});

class Chunk {
  #cases = 0;
  #outputs = 0;
  #judged = 0;
  #bytes = 0;
  readonly #scorers = new Set<WeighedScorer>();

  /** Whether the case was added: the first one always is. */
  takes({ bytes, outputs, scorer }: WeighedCase): boolean {
    const isNew = scorer !== undefined && !this.#scorers.has(scorer);
    const cases = this.#cases + 1;
    const allOutputs = this.#outputs + outputs;
    const judged = this.#judged + (scorer?.isJudged ? outputs : 0);
    const allBytes = this.#bytes + bytes + (isNew ? scorer.bytes : 0);
    const fits =
      cases <= CHUNK_CASES_MAX &&
      allOutputs <= CHUNK_OUTPUTS_MAX &&
      judged <= CHUNK_JUDGED_OUTPUTS_MAX &&
      allBytes <= CHUNK_BYTES_MAX;
    if (!fits && this.#cases > 0) return false;
    this.#cases = cases;
    this.#outputs = allOutputs;
    this.#judged = judged;
    this.#bytes = allBytes;
    if (scorer !== undefined) this.#scorers.add(scorer);
    return true;
  }
}
