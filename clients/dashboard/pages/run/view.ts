import type { Run, RunResult, RunsResultsQuery } from '../../../sdk/index.ts';
import { type Changes, type Standing, standingOf } from '../../parts/runs/standing.ts';

type Outcome = NonNullable<RunsResultsQuery['outcome']>;
type Sort = NonNullable<RunsResultsQuery['sort']>;

const OUTCOMES: readonly Outcome[] = ['failed', 'errored', 'missing', 'passed'];
const SORTS: readonly Sort[] = ['gravity', 'score', 'latency_ms', 'total_tokens', 'cost_usd'];

/** What of a run is shown. It is in the address, so that a link gives the same view. */
export interface View {
  readonly outcome: Outcome;
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly sort: Sort;
  readonly page: number;
  /** The key of the case that is open. */
  readonly opened?: string | undefined;
}

const oneOf = <T extends string>(known: readonly T[], text: string | null, otherwise: T): T =>
  known.find((name) => name === text) ?? otherwise;

export const viewOf = (query: URLSearchParams): View => ({
  outcome: oneOf(OUTCOMES, query.get('outcome'), 'failed'),
  q: query.get('q')?.slice(0, 200) || undefined,
  tag: query.get('tag') || undefined,
  sort: oneOf(SORTS, query.get('sort'), 'gravity'),
  page: Math.max(1, Math.min(1e6, Math.floor(Number(query.get('page')) || 1))),
  opened: query.get('case') || undefined,
});

/** Whether it is what the page shows without a filter. */
export const isUnfiltered = ({ outcome, q, tag, page }: View): boolean =>
  outcome === 'failed' && q === undefined && tag === undefined && page === 1;

/** Advisory ones, too. */
export const passedIn = ({ passed_cases, advisory_cases, advisory_failed_cases }: Run): number =>
  passed_cases + advisory_cases - advisory_failed_cases;

/** What the service is asked for, without the page. */
export const filterOf = ({ outcome, q, tag, sort }: View): RunsResultsQuery => ({
  outcome,
  ...(q !== undefined && { q }),
  ...(tag !== undefined && { tag }),
  ...(sort !== 'gravity' && { sort }),
});

/** What came to be stands before what was so. */
const ORDER: readonly Standing[] = [
  'newly failing',
  'failed',
  'missing',
  'failed before',
  'errored',
  'advisory',
  'passed',
];

/** Results that came out alike for the same reason, where there are many; else one alone. */
export interface Group {
  readonly reason?: string | undefined;
  readonly results: readonly RunResult[];
}

const FOLDED_MIN = 5;

/** Of a page: newly failing ones first; five or more of the same reason are one group. */
export function groupsOf(results: readonly RunResult[], { sort }: View, changes: Changes): readonly Group[] {
  const rank = (result: RunResult): number => ORDER.indexOf(standingOf(result, changes));
  const ordered = sort === 'gravity' ? results.toSorted((one, other) => rank(one) - rank(other)) : results;
  const keyOf = (result: RunResult): string => `${standingOf(result, changes)} ${result.reason}`;
  const alike = Map.groupBy(ordered, keyOf);
  const groups = new Map<string, Group>();
  for (const result of ordered) {
    const key = keyOf(result);
    const all = alike.get(key) ?? [];
    if (all.length < FOLDED_MIN || result.passed) groups.set(result.id, { results: [result] });
    else groups.set(key, { reason: result.reason, results: all });
  }
  return [...groups.values()];
}

type Metadata = RunResult['metadata'];

const numberIn = (metadata: Metadata, name: string): number | undefined => {
  const value = metadata && Object.hasOwn(metadata, name) ? metadata[name] : undefined;
  return typeof value === 'number' ? value : undefined;
};

/** `820 ms`, `2.2 s`. */
export const durationIn = (ms: number): string =>
  ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;

/** What the harness says that an answer took. */
export const FIGURES = {
  latency_ms: {
    head: 'Latency',
    of: (metadata: Metadata) => numberIn(metadata, 'latency_ms'),
    shown: durationIn,
  },
  total_tokens: {
    head: 'Tokens',
    of: (metadata: Metadata) => {
      const [input, output] = [numberIn(metadata, 'input_tokens'), numberIn(metadata, 'output_tokens')];
      return input === undefined || output === undefined ? undefined : input + output;
    },
    shown: (value: number) => `${value}`,
  },
  cost_usd: {
    head: 'Cost',
    of: (metadata: Metadata) => numberIn(metadata, 'cost_usd'),
    shown: (value: number) => `$${Number(value.toPrecision(3))}`,
  },
} as const;
export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as readonly FigureName[];

/** A table of results. */
export interface Listing {
  /** Heard, not seen. */
  readonly caption: string;
  readonly groups: readonly Group[];
  readonly changes: Changes;
  /** The key of the case that is open. */
  readonly opened: string | undefined;
  /** A link names it: it is brought into sight. */
  readonly isLinked: boolean;
  readonly onOpen: (key: string | undefined) => void;
  /** The address of a new case like the one with this key; undefined where none can be made. */
  readonly anotherLike: ((key: string) => string) | undefined;
  /** Texts without marks. */
  readonly isPlain: boolean;
}
