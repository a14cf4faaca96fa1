import type { Bar, BarCase } from './bar.ts';
import { digestOf } from './canonical.ts';
import type { Sent, SentItem } from './sent.ts';
import { normalTrace } from './traces.ts';

export interface Matched {
  /** By the id of the case, in the order sent. */
  readonly byCase: ReadonlyMap<string, readonly SentItem[]>;
  readonly surplus: readonly string[];
  readonly surplusOutputs: number;
}

const SURPLUS_NAMED_MAX = 20;

export const isAdvisory = ({ advisoryUntil }: BarCase, atMs: number): boolean =>
  advisoryUntil !== null && atMs < Date.parse(advisoryUntil);

/** Which outputs each case of the bar gets. */
export function match({ cases }: Bar, { output, outputs = [] }: Sent): Matched {
  const all = output === undefined ? outputs : cases.map(({ id }) => ({ case: id, output }));
  const names = new Map(cases.flatMap((one) => [[one.id, one] as const, [one.key, one] as const]));
  const find = (name: string) => names.get(name) ?? names.get(name.toLowerCase());
  const byCase = Map.groupBy(
    all.filter((item) => find(item.case) !== undefined),
    (item) => find(item.case)?.id ?? '',
  );
  const surplus = all.filter((item) => find(item.case) === undefined).map((item) => item.case);
  return {
    byCase,
    surplus: [...new Set(surplus)].slice(0, SURPLUS_NAMED_MAX),
    surplusOutputs: surplus.length,
  };
}

/** Whether what was sent is refused with this bar, at this time. */
export function isRefused(bar: Bar, sent: Sent, atMs: number): boolean {
  const { cases } = bar;
  if (cases.length === 0 || cases.every((one) => isAdvisory(one, atMs))) return true;
  if (sent.output !== undefined) return cases.some(({ sampleCount }) => sampleCount > 1);
  const { byCase } = match(bar, sent);
  const isTooMany = ({ id, sampleCount }: BarCase) => (byCase.get(id)?.length ?? 0) > sampleCount;
  return byCase.size === 0 || cases.some(isTooMany);
}

/** 64 hexadecimal digits. None of the harness's scorers reads metadata. */
export function itemDigest({ output, error, input, trace }: SentItem, runInput: Sent['input']): string {
  const traced = trace === undefined ? [] : [null, normalTrace(trace)];
  return digestOf([output ?? { error }, input ?? runInput ?? {}, ...traced]);
}

export function outputsDigest({ byCase }: Matched, { output, input = {} }: Sent): string {
  if (output !== undefined) return `sha256:${digestOf([output, input])}`;
  const entries = [...byCase].flatMap(([id, items]) =>
    items.map((item, sample) => [id, sample, itemDigest(item, input)] as const),
  );
  const sorted = entries.toSorted(([a, sampleA], [b, sampleB]) =>
    a === b ? sampleA - sampleB : a < b ? -1 : 1,
  );
  return `sha256:${digestOf(sorted)}`;
}
