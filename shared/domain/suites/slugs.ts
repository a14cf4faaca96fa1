import { SLUG_LENGTH_MAX, slugSchema } from '../../contracts/base/common.ts';
import { invalidField } from '../errors.ts';
import { limitRefusal } from '../limits.ts';
import type { Created } from '../ports.ts';

const SUFFIX_ROOM = 8;
const COUNTED_SUFFIXES = 5;

/** A name in lower-case Latin letters and digits. `fallback` when none is left. */
export async function slugOf(name: string, fallback: string): Promise<string> {
  const plain = name.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  const slug = (await inLatin(plain))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_LENGTH_MAX - SUFFIX_ROOM)
    .replace(/-$/, '');
  return slug === '' ? fallback : slug;
}

/** The transliteration table is half a megabyte: it is loaded only for names with letters beyond a to z. */
async function inLatin(text: string): Promise<string> {
  if (!OTHER_LETTERS.test(text)) return text;
  const { default: anyAscii } = await import('any-ascii');
  return text.replace(OTHER_LETTERS_ALL, (letters) => anyAscii(letters).replace(/['`]/g, ''));
}

/** Accents of Latin letters are dropped. Marks of other scripts are vowels, or make another letter. */
const ACCENTS = /(?<=\p{Script=Latin})\p{M}+/gu;
const OTHER_LETTERS = /(?![\x00-\x7f])[\p{L}\p{N}]/u;
/** With their marks, and the zero-width joiner. */
const OTHER_LETTERS_ALL = /(?![\x00-\x7f])[\p{L}\p{N}][\p{L}\p{M}\p{N}\u200d]*/gu;

/** Whether the text can be a slug. Other text may not be usable in a key. */
export const isSlug = (text: string): boolean => slugSchema.safeParse(text).success;

function* candidates(base: string, newId: () => string): Generator<string> {
  yield base;
  for (let number = 2; number <= COUNTED_SUFFIXES; number++) yield `${base}-${number}`;
  for (let tries = 0; tries < 10; tries++) yield `${base}-${newId().slice(0, SUFFIX_ROOM - 1)}`;
}

/** A taken slug that was given is the caller's mistake; a slug made from the name gets a suffix. */
export async function createUnderSlug<T>(
  what: 'project' | 'suite',
  wanted: { slug?: string | undefined; name: string; newId: () => string },
  create: (slug: string) => Promise<{ outcome: Created; created: T }>,
): Promise<T> {
  const slugs =
    wanted.slug === undefined ? candidates(await slugOf(wanted.name, what), wanted.newId) : [wanted.slug];
  for (const slug of slugs) {
    const { outcome, created } = await create(slug);
    if (outcome === 'created') return created;
    if (outcome !== 'slug_taken') throw limitRefusal(outcome, `${what}s`);
    if (slug === wanted.slug)
      throw invalidField('slug', `is taken by another ${what}: choose another, or leave it out`);
  }
  throw new Error(`No free slug for "${wanted.name}"`);
}
