import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import {
  type Definition,
  definedCaseFields,
  definedScorerFields,
  definedSuiteFields,
} from '../../contracts/definitions.ts';
import { withoutDefaults } from '../../scoring/registry.ts';
import type { WholeSuite } from './ports.ts';

type Fields = Readonly<Record<string, unknown>>;
type Shape = Readonly<Record<string, z.ZodType>>;

/** Of a kind of resource: its fields in a definition, and what they are where they are left out. */
const kindOf = (shape: Shape) => ({
  names: Object.keys(shape),
  defaults: Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault ? [[name, field.parse(undefined)]] : [],
    ),
  ) as Fields,
});
type Kind = ReturnType<typeof kindOf>;

const SUITE = kindOf(definedSuiteFields);
const SCORER = kindOf(definedScorerFields);
const CASE = kindOf(definedCaseFields);

/** What a definition says of a resource: a name that is not its key, and what is no default. */
function told<T extends object>({ names, defaults }: Kind, key: string, resource: T): Partial<T> {
  const silent: Fields = { ...defaults, name: key };
  const fields = Object.entries(resource).filter(
    ([name, value]) =>
      names.includes(name) && !(Object.hasOwn(silent, name) && isDeepStrictEqual(value, silent[name])),
  );
  const ordered = fields.toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other));
  return Object.fromEntries(ordered) as Partial<T>;
}

/** A suite as one document. */
export function renderDefinition({ suite, scorers, cases }: WholeSuite): Definition {
  const used = [...scorers.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return {
    version: 1,
    suite: suite.slug,
    ...told(SUITE, suite.slug, suite),
    scorers: Object.fromEntries(
      used.map((scorer) => [
        scorer.key,
        { type: scorer.type, ...told(SCORER, scorer.key, scorer), config: withoutDefaults(scorer) },
      ]),
    ),
    cases: cases.map(({ input, ...evalCase }) => ({
      ...{ key: evalCase.key, scorer: scorers.get(evalCase.scorer_id)?.key ?? null, input },
      ...told(CASE, evalCase.key, evalCase),
    })),
  };
}
