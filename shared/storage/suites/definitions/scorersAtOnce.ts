import type { SuitePush } from '../../../domain/definitions/ports.ts';
import type { Write } from '../../table/table.ts';
import { scorerItem } from './pushLog.ts';

/** A transaction holds 100 writes and 4 MB. */
const SCORERS_MAX = 80;
const BYTES_MAX = 3_000_000;

/**
 * The writes, by the scorers' ids, that have to be in force together with a push: those of other suites, whose readers
 * know nothing of its log, and then as many others as there is room for, since another suite may have begun to use one.
 * Undefined where there are too many.
 */
export function scorersAtOnce(orgId: string, push: SuitePush): ReadonlyMap<string, Write> | undefined {
  const { shared, scorers } = push;
  const isShared = ({ id }: { readonly id: string }): boolean => shared.has(id);
  const others = scorers.changed.filter((scorer) => !isShared(scorer));
  const writes = new Map<string, Write>();
  let bytes = 0;
  for (const scorer of [...scorers.changed.filter(isShared), ...others]) {
    const write: Write = { Put: { Item: scorerItem({ orgId, push }, scorer) } };
    bytes += JSON.stringify(write).length;
    if (writes.size >= SCORERS_MAX || bytes > BYTES_MAX) return isShared(scorer) ? undefined : writes;
    writes.set(scorer.id, write);
  }
  return writes;
}
