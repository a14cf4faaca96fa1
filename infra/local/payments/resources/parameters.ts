import * as z from 'zod';
import type { Form } from '../form.ts';
import { ProviderError } from './providerError.ts';

const NAME_MAX = 5_000;

export const text = z.string().min(1).max(NAME_MAX);
/** http and https only: the pages link to it. */
export const webUrl = z.url({ protocol: /^https?$/, error: 'Not a valid URL' }).max(NAME_MAX);
export const metadata = z.record(z.string().max(40), z.string().max(500));
export const wholeNumber = z
  .string()
  .regex(/^-?\d{1,15}$/, 'Invalid integer')
  .transform(Number);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

/** Lists arrive as objects keyed by position. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.record(z.string(), item).transform((byPosition) => Object.values(byPosition) as z.output<T>[]);
}

/** `starting_after` and `ending_before` are not simulated: no list here is long. */
export const page = { limit: wholeNumber.pipe(z.number().min(1).max(100)).default(10) };

export function parseParameters<T>(schema: z.ZodType<T>, form: Form): T {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [first = '', ...deeper] = issue?.path ?? [];
  const param = String(first) + deeper.map((key) => `[${String(key)}]`).join('');
  const isMissing = issue !== undefined && at(form, issue.path) === undefined;
  if (isMissing) {
    throw new ProviderError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  throw new ProviderError(400, `Invalid ${param}: ${issue?.message}`, { code: 'parameter_invalid', param });
}

function at(form: Form, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Form | undefined)?.[String(key)], form);
}
