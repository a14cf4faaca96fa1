import type * as z from 'zod';
import { OBJECTS } from '../../scripts/documents/objects.ts';
import { gatesSchema, verdictDetailSchema } from '../../shared/contracts/gates.ts';
import { pendingRunSchema, runVerdictSchema } from '../../shared/contracts/runs.ts';
import { latestRunSchema } from '../../shared/contracts/suites.ts';

const constants = {
  ...OBJECTS,
  runVerdictSchema,
  pendingRunSchema,
  verdictDetailSchema,
  gatesSchema,
  latestRunSchema,
};

/** `ApiKey` of `apiKeySchema`. */
const nameOf = (constant: string): string =>
  constant.replace(/Schema$/, '').replace(/^[a-z]/, (letter) => letter.toUpperCase());

/** The schemas that have a type of their own in every client, by its name. */
export const NAMED: Readonly<Record<string, z.core.$ZodType>> = Object.fromEntries(
  Object.entries(constants).map(([constant, schema]) => [nameOf(constant), schema]),
);

/** Finds the source that declares a named schema. */
export const declarationOfNamed = (name: string): RegExp =>
  new RegExp(`^(export )?const ${name.replace(/^[A-Z]/, (letter) => letter.toLowerCase())}Schema =`, 'm');
