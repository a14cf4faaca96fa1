import { escaped } from '../imports/escaped.ts';
import type { Fields } from '../imports/types.ts';
import { textsOf } from '../table/texts.ts';
import type { Mapped } from './graders.ts';

/** Of `evals/registry/evals`: how an eval compares. */
export interface EvalClass {
  /** Without its module. */
  readonly name: string;
  readonly args: Fields;
}

const PIECES = 'there a part of the ideal answer passes, too, and articles and punctuation say nothing';

/** Where nothing names a class: the ideal answer, or one of several, to the letter. */
export const NO_CLASS = 'the same text';

type Mapping = (ideals: readonly string[], args: Fields) => Mapped;

const CLASSES: ReadonlyMap<string, Mapping> = new Map<string, Mapping>([
  [
    'Match',
    (ideals) => ({
      scorer: { type: 'regex', config: { pattern: `^(?:${ideals.map(escaped).join('|')})` } },
    }),
  ],
  [
    NO_CLASS,
    (ideals) =>
      ideals.length === 1
        ? { scorer: { type: 'exact_match', config: {} }, expected: ideals[0] }
        : { scorer: { type: 'regex', config: { pattern: `^(?:${ideals.map(escaped).join('|')})$` } } },
  ],
  [
    'Includes',
    (values, { ignore_case }) => ({
      scorer: {
        type: 'contains',
        config: {
          values,
          ...(values.length > 1 ? { mode: 'any' } : {}),
          ...(ignore_case === true ? { case_sensitive: false } : {}),
        },
      },
    }),
  ],
  [
    'FuzzyMatch',
    (values) => ({
      scorer: { type: 'contains', config: { values, mode: 'any', case_sensitive: false, normalize: true } },
      differences: [PIECES],
    }),
  ],
  [
    'JsonMatch',
    (ideals) =>
      ideals.length === 1 ? jsonMatch(String(ideals[0])) : { why: 'has several ideal answers of JSON' },
  ],
]);

function jsonMatch(ideal: string): Mapped {
  try {
    const expected: unknown = JSON.parse(ideal);
    // The output would have to be the text itself, and null would be nothing to compare with.
    if (typeof expected === 'string' || expected === null)
      return { why: 'has an ideal answer of JSON that is a text or null' };
    return { scorer: { type: 'exact_match', config: {} }, expected };
  } catch {
    return { why: 'has an ideal answer that is no JSON' };
  }
}

/** The like of a class for a sample with `ideal`. */
export function mappedClass({ name, args }: EvalClass, ideal: unknown): Mapped {
  const ideals = textsOf(ideal);
  if (ideals === undefined) return { why: 'has no ideal answer that is a text, nor a list of texts' };
  return CLASSES.get(name)?.(ideals, args) ?? { why: `the class ${name.slice(0, 60)}` };
}
