import type { ResultOrder, RunResult } from '../../../contracts/results/results.ts';

type Metadata = RunResult['metadata'];

export interface SortedResult extends Pick<RunResult, 'must_pass' | 'weight' | 'score' | 'metadata'> {
  readonly key?: string;
  readonly samples?: readonly { readonly metadata: Metadata }[] | undefined;
}

/** What is first has the largest number. Undefined: there is none. */
type Rank = (result: SortedResult) => number | undefined;

/** Those without a number come last; equal ones keep their order. `newlyFailing`: keys of cases that are gravest of all. */
export function sortResults<T extends SortedResult>(
  results: readonly T[],
  order: ResultOrder = 'gravity',
  newlyFailing: readonly string[] = [],
): T[] {
  const worse = new Set(newlyFailing);
  const isWorse: Rank = ({ key }) => Number(worse.has(key ?? ''));
  const ranks = order === 'gravity' ? [isWorse, ...RANKS.gravity] : RANKS[order];
  const ranked = results.map((result) => ({ result, own: ranks.map((rank) => rank(result) ?? -Infinity) }));
  const compare = (left: number[], right: number[]): number => {
    const index = left.findIndex((rank, place) => rank !== right[place]);
    return index === -1 ? 0 : Math.sign((right[index] ?? 0) - (left[index] ?? 0));
  };
  return ranked.toSorted((one, other) => compare(one.own, other.own)).map(({ result }) => result);
}

const figure = (metadata: Metadata, name: string): number | undefined => {
  const value = metadata !== null && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  return typeof value === 'number' ? value : undefined;
};

/** Of samples the largest one. */
const largest =
  (figureOf: (metadata: Metadata) => number | undefined): Rank =>
  ({ metadata, samples }) => {
    const figures = [metadata, ...(samples ?? []).map((sample) => sample.metadata)].map(figureOf);
    const known = figures.filter((one) => one !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  };

function totalTokens(metadata: Metadata): number | undefined {
  const [input, output] = [figure(metadata, 'input_tokens'), figure(metadata, 'output_tokens')];
  return input === undefined || output === undefined ? undefined : input + output;
}

const RANKS: Readonly<Record<ResultOrder, readonly Rank[]>> = {
  gravity: [({ must_pass }) => Number(must_pass), ({ weight }) => weight ?? undefined],
  score: [({ score }) => -score],
  latency_ms: [largest((metadata) => figure(metadata, 'latency_ms'))],
  total_tokens: [largest(totalTokens)],
  cost_usd: [largest((metadata) => figure(metadata, 'cost_usd'))],
};
