import { foldCase } from '../kit/reading/caseTwins.ts';
import type { Query } from './syntax.ts';

/** The names of members, folded, that a query reads, its filters included. */
export function namesRead(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('kind' in part && part.kind === 'name' && 'name' in part) names.add(foldCase(String(part.name)));
    for (const inner of Object.values(part)) look(inner);
  };
  look(query);
  return names;
}
