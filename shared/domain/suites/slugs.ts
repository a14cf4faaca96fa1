import { NO_UUID, SLUG_LENGTH_MAX, slugSchema, UUID_FORM } from '../../contracts/base/common.ts';
import { invalidField } from '../errors.ts';
import { limitRefusal } from '../limits.ts';
import type { NotCreated } from '../ports.ts';
import { editedTooOften } from '../revisions/position.ts';

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

type Slugged = 'project' | 'suite' | 'case' | 'scorer';

/** Cases and scorers are named by keys, which never look like an id. */
const isKeyed = (what: Slugged): boolean => what === 'case' || what === 'scorer';

async function baseOf(what: Slugged, name: string): Promise<string> {
  const slug = await slugOf(name, what);
  return isKeyed(what) && UUID_FORM.test(slug) ? `${what}-${slug}` : slug;
}

const counted = (base: string): string[] =>
  Array.from({ length: COUNTED_SUFFIXES - 1 }, (_, index) => `${base}-${index + 2}`);
const drawn = (base: string, newId: () => string): string => `${base}-${newId().slice(0, SUFFIX_ROOM - 1)}`;

function* candidates(base: string, newId: () => string): Generator<string> {
  yield base;
  yield* counted(base);
  for (let tries = 0; tries < 10; tries++) yield drawn(base, newId);
}

interface Requested {
  readonly slug?: string | undefined;
  readonly name: string;
  readonly newId: () => string;
}

/** `again`: others came first. A taken slug that was given is the caller's mistake; a slug made from the name gets a suffix. */
export async function createUnderSlug<T extends object>(
  what: 'project' | 'suite',
  { slug: given, name, newId }: Requested,
  create: (slug: string) => Promise<T | NotCreated | 'again'>,
): Promise<T> {
  const slugs = given === undefined ? candidates(await baseOf(what, name), newId) : [given];
  for (const slug of slugs) {
    const outcome = await madeUnder(slug, create);
    if (typeof outcome === 'object') return outcome;
    if (outcome !== 'slug_taken') throw limitRefusal(outcome, `${what}s`);
    if (slug === given) throw takenSlug(what);
  }
  throw new Error(`No free slug for "${name}"`);
}

const TRIES_MAX = 12;

async function madeUnder<T extends object>(
  slug: string,
  create: (slug: string) => Promise<T | NotCreated | 'again'>,
): Promise<T | NotCreated> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const outcome = await create(slug);
    if (outcome !== 'again') return outcome;
  }
  throw editedTooOften();
}

export const takenSlug = (what: Slugged) =>
  invalidField(
    isKeyed(what) ? 'key' : 'slug',
    `is taken by another ${what}: choose another, or leave it out`,
  );

/** Slugs for resources that are made together: none is taken, and none given twice. */
export async function freeSlugs(
  what: Slugged,
  names: readonly string[],
  { newId, taken }: { readonly newId: () => string; readonly taken: Iterable<string> },
): Promise<string[]> {
  const bases = await Promise.all(names.map((name) => baseOf(what, name)));
  const held = new Set(taken);
  return bases.map((base) => {
    const free = [base, ...counted(base)].find((slug) => !held.has(slug)) ?? drawn(base, newId);
    held.add(free);
    return free;
  });
}

/** 400 for a key that looks like an id, unless the resource, which is older than keys, has it already. */
export function checkNewKey(key: string | undefined, present: string): void {
  if (key !== undefined && key !== present && UUID_FORM.test(key)) throw invalidField('key', NO_UUID);
}
