import { answerOf, hasUnused } from './program/answer.ts';
import { conditionOf } from './program/conditions.ts';
import { scorerOf } from './program/scorers.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const OTHER: Mapped = { why: 'a program that does more than to compare the output, or parts of it' };

/** A program that compares the output, or parts of it, with what it says itself is read, and never run. */
export const javascript: Mapping = ({ value, isNegated, threshold, vars }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string') return OTHER;
  if (threshold !== undefined) return { why: 'a program with a threshold' };
  const answer = answerOf(value, vars);
  const condition = answer && conditionOf(answer.node, answer.scope);
  if (answer === undefined || condition === undefined || hasUnused(answer)) return OTHER;
  return scorerOf(condition) ?? OTHER;
};
