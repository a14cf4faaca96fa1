import { NO_UUID, SLUG_LENGTH_MAX, slugSchema, UUID_FORM } from '../../contracts/base/common.ts';
import { invalidField, notFound } from '../errors.ts';
import { limitRefusal } from '../limits.ts';
import type { NotCreated } from '../ports.ts';

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
type Taken = (slugs: readonly string[]) => Promise<ReadonlySet<string>>;

/** Cases and scorers are named by keys, which never look like an id. */
const isKeyed = (what: Slugged): boolean => what === 'case' || what === 'scorer';

async function baseOf(what: Slugged, name: string): Promise<string> {
  const slug = await slugOf(name, what);
  return isKeyed(what) && UUID_FORM.test(slug) ? `${what}-${slug}` : slug;
}

const counted = (base: string): string[] =>
  Array.from({ length: COUNTED_SUFFIXES - 1 }, (_, index) => `${base}-${index + 2}`);
const drawn = (base: string, newId: () => string): string => `${base}-${newId().slice(0, SUFFIX_ROOM - 1)}`;

async function* candidates(base: string, newId: () => string, taken: Taken): AsyncGenerator<string> {
  yield base;
  const held = await taken(counted(base));
  yield* counted(base).filter((slug) => !held.has(slug));
  for (let tries = 0; tries < 10; tries++) yield drawn(base, newId);
}

const NONE: ReadonlySet<string> = new Set();

interface Wanted {
  readonly slug?: string | undefined;
  readonly name: string;
  readonly newId: () => string;
  /** Those of the slugs that are known to be taken. */
  readonly taken?: Taken;
}

/** A taken slug that was given is the caller's mistake; a slug made from the name gets a suffix. */
export async function createUnderSlug<T extends object>(
  what: Slugged,
  { slug: given, name, newId, taken = async () => NONE }: Wanted,
  create: (slug: string) => Promise<T | NotCreated>,
): Promise<T> {
  const slugs = given === undefined ? candidates(await baseOf(what, name), newId, taken) : [given];
  for await (const slug of slugs) {
    const made = await create(slug);
    if (typeof made === 'object') return made;
    if (made !== 'slug_taken' && made !== 'key_taken') throw limitRefusal(made, `${what}s`);
    if (slug === given) throw takenSlug(what);
  }
  throw new Error(`No free slug for "${name}"`);
}

const takenSlug = (what: Slugged) =>
  invalidField(
    isKeyed(what) ? 'key' : 'slug',
    `is taken by another ${what}: choose another, or leave it out`,
  );

/** Slugs for resources that are made together: none is taken, and none given twice. */
export async function freeSlugs(
  what: Slugged,
  names: readonly string[],
  { newId, taken }: { readonly newId: () => string; readonly taken: Taken },
): Promise<string[]> {
  const bases = await Promise.all(names.map((name) => baseOf(what, name)));
  const held = new Set(await taken([...new Set(bases.flatMap((base) => [base, ...counted(base)]))]));
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

/** What a store answers to a change, when there is something. */
export function changed<T extends object>(what: 'case' | 'scorer', updated: T | 'key_taken' | undefined): T {
  if (updated === undefined) throw notFound(what);
  if (updated === 'key_taken') throw takenSlug(what);
  return updated;
}
