import { equalJson } from '../../../scoring/compare/equality.ts';
import { comparesWithExpected, configEffect, replacementEffect } from '../../../scoring/effects.ts';
import { gates } from '../../../scoring/verdict/gates/registry.ts';
import { type Effect, gravest, ofBar } from '../../../scoring/verdict/strictness.ts';
import { SCORER } from './defaults.ts';
import { differing, nonDefaultFields } from './fields.ts';
import type { CaseFields, Change, CompleteDefinition, ScorerFields } from './types.ts';

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
      const fields = nonDefaultFields(SCORER, FIELDS, { key: scorer.key, resource: scorer });
      return [{ ...named, action: 'create', fields, effect: 'same' }];
    }
    const fields = differing(FIELDS, known, scorer);
    if (Object.keys(fields).length === 0) return [];
    return [{ ...named, action: 'update', fields, effect: effectOf(known, scorer, Object.keys(fields)) }];
  });
}

/** What a case gets by another scorer, or by the same one with another `expected`. Two scorers are compared once. */
export function scorerComparison(before: CompleteDefinition, after: CompleteDefinition) {
  const known = new Map<string, boolean>();
  // A case that was errored and fails now has a verdict, for which such a gate waits.
  const waitsForVerdicts = gates
    .flatMap((gate) => gate.demands(before.suite.gates, after.suite.gates))
    .some(({ minJudged = 0 }) => minJudged > 0);
  const scorersOf = (was: CaseFields, is: CaseFields) => [
    before.scorers.get(was.scorer ?? ''),
    after.scorers.get(is.scorer ?? ''),
  ];
  const isSame = (was: CaseFields, is: CaseFields): boolean => {
    const place = `${was.scorer} ${is.scorer}`;
    const [scorerBefore, scorerAfter] = scorersOf(was, is);
    const decidesAlike =
      known.get(place) ??
      (scorerBefore !== undefined &&
        scorerAfter !== undefined &&
        DECIDING.every((name) => equalJson(scorerBefore[name], scorerAfter[name])));
    known.set(place, decidesAlike);
    return decidesAlike;
  };
  return {
    scorerEffect(was: CaseFields, is: CaseFields): Effect {
      if (isSame(was, is)) return 'same';
      const [scorerBefore, scorerAfter] = scorersOf(was, is);
      const isComparable = !waitsForVerdicts && equalJson(was.expected, is.expected);
      return scorerBefore && scorerAfter && isComparable
        ? replacementEffect(scorerBefore, scorerAfter, is)
        : 'may be weaker';
    },
    comparesWithExpected(was: CaseFields, is: CaseFields): boolean {
      const scorers = scorersOf(was, is);
      const isGiven = was.expected !== null && is.expected !== null;
      return isGiven && scorers.every((scorer) => scorer !== undefined && comparesWithExpected(scorer));
    },
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
