import type { Definition } from '../../contracts/definitions.ts';
import { withoutDefaults } from '../../scoring/registry.ts';
import { CASE, isSilent, type Kind, SCORER, SUITE } from './plan/defaults.ts';
import type { CompleteSuite } from './ports.ts';

/** What a definition says of a resource: a name that is not its key, and what is no default. */
function nonDefaults<T extends object>(kind: Kind, key: string, resource: T): Omit<Partial<T>, 'version'> {
  const { names } = kind;
  const fields = Object.entries(resource).filter(
    ([name, value]) => names.includes(name) && !isSilent(kind, key, name, value),
  );
  const ordered = fields.toSorted(([one], [other]) => names.indexOf(one) - names.indexOf(other));
  return Object.fromEntries(ordered) as Omit<Partial<T>, 'version'>;
}

/** A suite as one document. */
export function renderDefinition({ suite, scorers, cases }: CompleteSuite): Definition {
  const used = [...scorers.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return {
    version: 1,
    suite: suite.slug,
    ...nonDefaults(SUITE, suite.slug, suite),
    scorers: Object.fromEntries(
      used.map((scorer) => [
        scorer.key,
        { type: scorer.type, ...nonDefaults(SCORER, scorer.key, scorer), config: withoutDefaults(scorer) },
      ]),
    ),
    cases: cases.map(({ input, ...evalCase }) => ({
      key: evalCase.key,
      scorer: scorers.get(evalCase.scorer_id)?.key ?? null,
      input,
      ...nonDefaults(CASE, evalCase.key, evalCase),
    })),
  };
}
