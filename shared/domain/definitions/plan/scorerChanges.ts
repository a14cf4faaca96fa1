import { equalJson } from '../../../scoring/compare/equality.ts';
import { configEffect } from '../../../scoring/effects.ts';
import { type Effect, gravest, ofBar } from '../../../scoring/verdict/strictness.ts';
import { SCORER } from './defaults.ts';
import { differing, made } from './fields.ts';
import type { Change, CompleteDefinition, ScorerFields } from './types.ts';

const FIELDS = [
  ...(['name', 'type', 'config', 'dual_sided', 'precision_threshold', 'recall_threshold'] as const),
] satisfies (keyof ScorerFields)[];

/** What decides of a scorer. */
export const DECIDING = FIELDS.filter((name) => name !== 'name');

/** Of the scorers that the definition has. What cannot be compared may be weaker. */
export function scorerChanges(before: CompleteDefinition, after: CompleteDefinition): Change[] {
  return [...after.scorers.values()].flatMap((scorer): Change[] => {
    const known = before.scorers.get(scorer.key);
    const named = { kind: 'scorer', key: scorer.key } as const;
    if (known === undefined) {
      const fields = made(SCORER, FIELDS, { key: scorer.key, resource: scorer });
      return [{ ...named, action: 'create', fields, effect: 'same' }];
    }
    const fields = differing(FIELDS, known, scorer);
    if (Object.keys(fields).length === 0) return [];
    return [{ ...named, action: 'update', fields, effect: effectOf(known, scorer, Object.keys(fields)) }];
  });
}

/** Whether a scorer before decides as one afterwards, by their keys: under another key, too. Two of them are compared once. */
export function scorerComparison(before: CompleteDefinition, after: CompleteDefinition) {
  const known = new Map<string, boolean>();
  const compare = (one: string, other: string): boolean => {
    const [was, is] = [before.scorers.get(one), after.scorers.get(other)];
    return was !== undefined && is !== undefined && DECIDING.every((name) => equalJson(was[name], is[name]));
  };
  return (one: string | null, other: string | null): boolean => {
    if (one === null || other === null) return false;
    const place = `${one} ${other}`;
    const isSame = known.get(place) ?? compare(one, other);
    known.set(place, isSame);
    return isSame;
  };
}

function effectOf(before: ScorerFields, after: ScorerFields, changed: readonly string[]): Effect {
  return gravest(
    changed.map((name): Effect => {
      if (name === 'name') return 'same';
      if (name === 'precision_threshold' || name === 'recall_threshold') {
        return ofBar(before[name] ?? 0, after[name] ?? 0);
      }
      return name === 'config' ? configEffect(before, after) : 'may be weaker';
    }),
  );
}
