import * as z from 'zod';
import {
  definedCaseFields,
  definedScorerFields,
  definedSuiteFields,
} from '../../../contracts/definitions.ts';
import { equalJson } from '../../../scoring/compare/equality.ts';

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
export type Kind = ReturnType<typeof kindOf>;

export const SUITE = kindOf(definedSuiteFields);
export const SCORER = kindOf(definedScorerFields);
export const CASE = kindOf(definedCaseFields);

/** Whether a definition need not say it: a default, or a name that is the key. */
export function isSilent({ defaults }: Kind, key: string, name: string, value: unknown): boolean {
  if (name === 'name') return value === key;
  // Suites that were stored before a field existed lack it.
  return Object.hasOwn(defaults, name) && (value === undefined || equalJson(value, defaults[name]));
}
