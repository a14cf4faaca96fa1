import { gravest } from '../../../scoring/verdict/strictness.ts';
import { planOf } from './plan.ts';
import { type Change, type CompleteDefinition, isWeaker, type Plan } from './types.ts';

interface Former {
  /** As it was when it was deleted, with the scorers of then. */
  readonly before: CompleteDefinition;
  readonly nowMs: number;
}

const nameOf = ({ kind, key }: Change): string => `${kind} ${key}`;
const KINDS: readonly Change['kind'][] = ['suite', 'scorer', 'case'];

/** The plan of a suite's first push, where another suite had its slug: what it changes as if that one were still there. */
export function comparedWithFormer(plan: Plan, sent: CompleteDefinition, { before, nowMs }: Former): Plan {
  const compared = planOf(before, sent, { prune: true, isFirst: false, nowMs, uses: new Map() });
  const changesToFormer = new Map(compared.changes.map((change) => [nameOf(change), change]));
  const changesToSuite = plan.changes.map((change): Change => {
    const other = changesToFormer.get(nameOf(change));
    changesToFormer.delete(nameOf(change));
    return other === undefined ? change : { ...other, effect: gravest([change.effect, other.effect]) };
  });
  const all = [...changesToSuite, ...changesToFormer.values()];
  const changes = KINDS.flatMap((kind) => all.filter((change) => change.kind === kind));
  return { ...plan, changes, weaker: changes.filter(isWeaker) };
}
