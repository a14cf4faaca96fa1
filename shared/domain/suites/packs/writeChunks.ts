import { isJudged, judgeProviderOf } from '../../../scoring/engine/engine.ts';
import { canonicalProvider } from '../../byok/providers.ts';
import { type Gating, NO_GATING, withAdvisoryEnd } from '../bar/rules.ts';
import type { SuiteBar } from '../ports.ts';
import { CHUNK_BYTES_MAX, CHUNK_CASES_MAX, CHUNK_JUDGED_CASES_MAX, CHUNK_OUTPUTS_MAX } from './limits.ts';
import type { ChunksPlace, PackedSuite, PackStore } from './packedSuites.ts';
import type { Judges, PlannedCase } from './plannedCase.ts';

const NONE = {
  ...{ chunks: 0, totalCases: 0, judgedCases: 0, extraOutputs: 0, expectedCharacters: 0 },
  judges: {} as Judges,
};

export async function writeChunks(
  packs: Pick<PackStore, 'saveChunk'>,
  place: ChunksPlace,
  slices: AsyncIterable<readonly PlannedCase[]> | Iterable<readonly PlannedCase[]>,
): Promise<Omit<PackedSuite, 'planner' | 'suiteDigest' | 'judgeModels' | keyof SuiteBar>> {
  let written = NONE;
  let gating: Gating = NO_GATING;
  let chunk: PlannedCase[] = [];
  let size = EMPTY;
  const flush = async () => {
    if (chunk.length === 0) return;
    await packs.saveChunk(place, written.chunks, chunk);
    written = {
      chunks: written.chunks + 1,
      totalCases: written.totalCases + chunk.length,
      judgedCases: written.judgedCases + size.judged,
      extraOutputs: written.extraOutputs + size.extraOutputs,
      judges: withChunk(written.judges, written.chunks, chunk),
      expectedCharacters: written.expectedCharacters + size.expectedCharacters,
    };
    chunk = [];
    size = EMPTY;
  };
  for await (const slice of slices) {
    for (const planned of slice.map(withoutUnreadInput)) {
      size = grown(size, planned, chunk);
      gating = withAdvisoryEnd(gating, planned.advisory_until);
      chunk.push(planned);
      if (isFull(chunk.length, size)) await flush();
    }
  }
  await flush();
  return { ...written, ...gating };
}

/** Only judges are shown the input of a case. */
const withoutUnreadInput = (planned: PlannedCase): PlannedCase =>
  isJudged(planned.scorer) ? planned : { ...planned, input: {} };

function withChunk(judges: Judges, chunk: number, cases: readonly PlannedCase[]): Judges {
  const named = new Set(cases.map(({ scorer }) => judgeProviderOf(scorer)));
  const providers = [...named].flatMap((name) => (name === undefined ? [] : canonicalProvider(name)));
  const entries = new Set(providers)
    .values()
    .map((provider) => [provider, [...(judges[provider] ?? []), chunk]]);
  return { ...judges, ...Object.fromEntries(entries) };
}

const EMPTY = { judged: 0, extraOutputs: 0, bytes: 0, expectedCharacters: 0 };

/** A chunk holds each scorer once, however many of its cases use it. */
function grown(size: typeof EMPTY, planned: PlannedCase, chunk: readonly PlannedCase[]): typeof EMPTY {
  const { scorer, ...own } = planned;
  const isNew = !chunk.some((other) => other.scorer === scorer);
  return {
    judged: size.judged + (isJudged(scorer) ? own.sample_count : 0),
    extraOutputs: size.extraOutputs + own.sample_count - 1,
    bytes: size.bytes + bytesOf(own) + (isNew ? bytesOf(scorer) : 0),
    expectedCharacters: size.expectedCharacters + JSON.stringify(own.expected).length,
  };
}

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const isFull = (cases: number, { judged, extraOutputs, bytes }: typeof EMPTY): boolean =>
  cases >= CHUNK_CASES_MAX ||
  cases + extraOutputs >= CHUNK_OUTPUTS_MAX ||
  judged >= CHUNK_JUDGED_CASES_MAX ||
  bytes >= CHUNK_BYTES_MAX;
