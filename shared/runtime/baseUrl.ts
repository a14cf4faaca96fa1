import * as z from 'zod';

const baseUrlSchema = z
  .url({ protocol: /^https?$/, abort: true })
  .transform((text) => new URL(text))
  .refine(
    ({ pathname, search, hash, username, password }) =>
      `${pathname}${search}${hash}${username}${password}` === '/',
    'must have no path, query or user',
  )
  .transform(({ origin }) => origin);

/** Independent of what clients send. Not in `config.ts`, read before a service on a laptop knows its port. */
export function baseUrlFromEnv({ BASE_URL }: Readonly<Record<string, string | undefined>>) {
  if (BASE_URL === undefined || BASE_URL.trim() === '') return undefined;
  const parsed = baseUrlSchema.safeParse(BASE_URL.trim());
  if (parsed.success) return parsed.data;
  throw new Error(`The environment variable BASE_URL is wrong:\n${z.prettifyError(parsed.error)}`);
}
