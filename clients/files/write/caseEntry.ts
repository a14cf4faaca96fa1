import { caseEntrySchema } from '../check/fileSchemas.ts';
import { isSameJson } from '../read/sameJson.ts';
import type { CaseFields } from '../resolve/cases.ts';
import { escapedReference } from '../resolve/references.ts';

/** What a case has that says nothing but its key and its input. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries(caseEntrySchema.parse({ key: 'a', input: {} })),
);

/** A case as a file of a suite has it; what says no more than the default is left out. */
export function caseEntry({
  key,
  name,
  scorer,
  input,
  expected,
  ...fields
}: CaseFields): Record<string, unknown> {
  const given = Object.entries(fields).filter(([field, value]) => !isSameJson(value, DEFAULTS.get(field)));
  const text = typeof expected === 'string' ? escapedReference(expected) : expected;
  return {
    key,
    ...(name === key ? {} : { name }),
    scorer,
    input,
    ...(expected === null ? {} : { expected: text }),
    ...Object.fromEntries(given),
  };
}
