import type { Report } from '../types.ts';

/** What the gate on newly failing cases counts besides them. */
export interface Uncompared {
  readonly count: number;
  readonly what: 'unjudged' | 'not comparable' | 'unjudged or not comparable';
  /** Of the cases, as far as the gate names them. */
  readonly keys: readonly string[];
}

/** Cases that passed in the baseline, and are unjudged or fail by another bar: the gate takes them for failing. Undefined without one. */
export function uncomparedOf({ run, results }: Pick<Report, 'run' | 'results'>): Uncompared | undefined {
  const { verdict, comparison, errored_cases } = run;
  const gate = verdict?.gates.find((one) => one.gate === 'max_newly_failing');
  const count = comparison ? (gate?.observed ?? 0) - comparison.newly_failing_count : 0;
  if (count <= 0) return undefined;
  const compared = new Set(comparison?.newly_failing);
  const keys = (gate?.cases ?? []).filter((key) => !compared.has(key));
  const errored = new Set(results.flatMap((result) => (result.errored ? [result.key] : [])));
  const areErrored = keys.length === count && keys.every((key) => errored.has(key));
  if (errored_cases === 0) return { count, keys, what: 'not comparable' };
  return { count, keys, what: areErrored ? 'unjudged' : 'unjudged or not comparable' };
}
