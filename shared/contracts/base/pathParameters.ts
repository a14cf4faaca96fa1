import * as z from 'zod';
import { digestInPathSchema, slugSchema, uuidSchema } from './common.ts';

/** Run ids are opaque; no run has an id of another form. */
export const runIdSchema = z.string().regex(/^run_[0-9A-Za-z]{1,64}$/);

export const CHECKOUT_RESULTS = ['success', 'cancelled'] as const;

/** A name means the same in every path. */
const PATH_PARAMETERS = {
  slug: slugSchema,
  suiteSlug: slugSchema,
  suiteId: uuidSchema,
  caseId: uuidSchema,
  scorerId: uuidSchema,
  runId: runIdSchema,
  digest: digestInPathSchema,
  keyId: uuidSchema,
  issuerId: uuidSchema,
  result: z.enum(CHECKOUT_RESULTS),
};
type Known = typeof PATH_PARAMETERS;

/** The names in a path: `slug` and `suiteSlug` in `/v1/projects/:slug/suites/:suiteSlug`. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type PathParameters<Path extends string> = [NamesIn<Path>] extends [never]
  ? unknown
  : { readonly params: z.ZodObject<Pick<Known, Extract<NamesIn<Path>, keyof Known>>> };

/** The part of a contract that follows from its path. A name that is not listed above is a mistake: it throws. */
export function pathParametersOf(path: string) {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) return {};
  const shape = names.map((name) => {
    const schema = PATH_PARAMETERS[name as keyof Known];
    if (schema === undefined) throw new Error(`The path ${path} has an unknown parameter: ${name}.`);
    return [name, schema];
  });
  return { params: z.object(Object.fromEntries(shape)) };
}
