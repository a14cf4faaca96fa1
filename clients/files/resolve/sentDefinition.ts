import * as z from 'zod';
import {
  definedCaseFields,
  definedScorerFields,
  definedSuiteFields,
  type sentDefinitionSchema,
} from '../../../shared/contracts/definitions.ts';
import { withoutDefaults } from '../../../shared/scoring/registry.ts';
import { isSameJson } from '../read/sameJson.ts';
import type { CaseFields } from './cases.ts';
import type { ScorerFields } from './scorers.ts';

/** A suite as it is sent, with all that the service would fill in left out. */
export type SentDefinition = z.input<typeof sentDefinitionSchema>;

type Fields = Readonly<Record<string, unknown>>;

/** What the service has for fields that are left out. */
const defaultsOf = (shape: Readonly<Record<string, z.ZodType>>): Fields =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) =>
      field instanceof z.ZodDefault ? [[name, field.parse(undefined)]] : [],
    ),
  );

export const SUITE_DEFAULTS = defaultsOf(definedSuiteFields);
export const SCORER_DEFAULTS = defaultsOf(definedScorerFields);
export const CASE_DEFAULTS = defaultsOf(definedCaseFields);

function nonDefaults(fields: Fields, silent: Fields): Fields {
  const kept = Object.entries(fields).filter(
    ([name, value]) => !(Object.hasOwn(silent, name) && isSameJson(value, silent[name])),
  );
  return Object.fromEntries(kept);
}

interface Whole {
  readonly suite: { readonly slug: string };
  readonly scorers: ReadonlyMap<string, ScorerFields>;
  readonly cases: readonly CaseFields[];
}

export function sentDefinition({ suite, scorers, cases }: Whole): SentDefinition {
  const { slug, ...fields } = suite;
  return {
    version: 1,
    suite: slug,
    ...nonDefaults(fields, { ...SUITE_DEFAULTS, name: slug }),
    scorers: Object.fromEntries(
      [...scorers.values()].map(({ key, config, ...scorer }) => [
        key,
        {
          ...nonDefaults(scorer, { ...SCORER_DEFAULTS, name: key }),
          config: withoutDefaults({ ...scorer, config }),
        },
      ]),
    ),
    cases: cases.map((one) => nonDefaults(one, { ...CASE_DEFAULTS, name: one.key })),
  } as SentDefinition;
}
