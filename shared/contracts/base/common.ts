import * as z from 'zod';
import { CONTRACT_LIMITS } from './limits.ts';

/** Upper case is accepted and means the same identifier. */
export const uuidSchema = z.string().toLowerCase().pipe(z.uuid());
export const timestampSchema = z.iso.datetime({ precision: 3 });

export const slugUpTo = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax, `at most ${lengthMax} characters`)
    .regex(
      /^[a-z0-9][a-z0-9_-]*$/,
      'only lower-case letters, digits, "-" and "_", starting with a letter or digit',
    );

export const SLUG_LENGTH_MAX = 100;
export const slugSchema = slugUpTo(SLUG_LENGTH_MAX);

/** `sha256:` and 64 lower-case hexadecimal digits. */
export const digestSchema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/** Some clients escape the colon. */
export const digestInPathSchema = z
  .string()
  .overwrite((text) => text.replace(/^sha256%3a/i, 'sha256:'))
  .regex(/^sha256:[0-9a-f]{64}$/);

/** No key has this form: a case's id and a case's key are never confused. */
export const UUID_FORM = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const NO_UUID = 'must not have the form of a UUID';

/** A slug by which files and outputs name a resource. */
export const keySchema = slugSchema.refine((key) => !UUID_FORM.test(key), NO_UUID);

/** A display name: not blank, without control characters; surrounding blanks are dropped. */
export const nameSchema = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(200, 'at most 200 characters')
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const descriptionSchema = z.string().max(2_000, 'at most 2,000 characters').nullable();

/** The table cannot store smaller numbers: they are refused, since they would be read back as others. */
const isKept = (value: number): boolean => value === 0 || Math.abs(value) >= 1e-100;

export const keptNumberSchema = z.number().refine(isKept, 'is too small to keep: write 0');

/** A share: pass rates, scores, thresholds. */
export const shareSchema = keptNumberSchema.min(0).max(1);

const isInteger = (text: string): boolean => /^\d{1,9}$/.test(text);

/** A query parameter from 1 on. */
const integer = (max?: number) =>
  z
    .string()
    .refine(isInteger, 'must be a whole number')
    .transform(Number)
    .pipe(max === undefined ? z.number().min(1) : z.number().min(1).max(max));

export const integerQuery = (fallback: number, max?: number) => integer(max).default(fallback);

export const PAGE_SIZE_DEFAULT = 20;
const PAGE_SIZE_MAX = 100;

export const pageQuerySchema = z.object({
  page: integerQuery(1),
  pageSize: integerQuery(PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX),
});
export type PageQuery = z.output<typeof pageQuerySchema>;

/** Of lists whose members have keys. */
export const keyedPageQuery = {
  ...pageQuerySchema.shape,
  /** Only the one with this key: a list of one, or none. */
  key: z.string().max(SLUG_LENGTH_MAX).optional(),
};
export type KeyedPageQuery = PageQuery & { readonly key?: string | undefined };

/** For lists that are answered as a whole unless the query names a page. */
export const optionalPageQuerySchema = z.object({
  page: integer().optional(),
  pageSize: integer(PAGE_SIZE_MAX).optional(),
});
export type OptionalPageQuery = z.output<typeof optionalPageQuerySchema>;

export const paginationSchema = z.object({
  page: z.int(),
  pageSize: z.int(),
  total: z.int(),
  hasMore: z.boolean(),
});

export const dataOf = <T extends z.ZodType>(resource: T) => z.object({ data: resource });
export const pageOf = <T extends z.ZodType>(resource: T) =>
  z.object({ data: z.array(resource), pagination: paginationSchema });

const kilobytes = (bytes: number): string => `${bytes / 1_024} kB`;
export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** A JSON object of the client, not copied, so that scorers get exactly what was sent. */
export function documentObjectSchema(maxBytes: number) {
  return z
    .custom<Record<string, unknown>>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'must be a JSON object',
    )
    .refine((value) => jsonBytes(value) <= maxBytes, `at most ${kilobytes(maxBytes)} of JSON`);
}

export const inputSchema = documentObjectSchema(CONTRACT_LIMITS.documentBytes);

/** An answer's JSON object as it was stored. */
export const storedObjectSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Any JSON value to compare with; null means none. */
export const expectedSchema = z
  .unknown()
  .refine(
    (value) => jsonBytes(value) <= CONTRACT_LIMITS.documentBytes,
    `at most ${kilobytes(CONTRACT_LIMITS.documentBytes)} of JSON`,
  );

/** How often the suite, with its cases, or the scorer was changed: 1 as it was made. */
export const versionSchema = z.int().min(0);
/** The change is made only to this version: 409 `VERSION_CONFLICT` where another one is in force. */
export const expectedVersion = { expected_version: versionSchema.optional() };
/** The same of a request without a body. */
export const expectedVersionQuery = z.object({
  expected_version: integer().optional(),
});
