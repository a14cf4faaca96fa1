import { hash } from 'node:crypto';

/** Keys as model providers, code hosts and this service make them. */
const KEYS = [
  /\b(?:sk|xapp|xox[abeprs])-[\w-]{8,}/,
  /\b(?:egk|whsec|[rs]k_(?:live|test))_\w{8,}/,
  /\b(?:gh[pousr]|github_pat|gsk|hf|npm|r8)_\w{16,}/,
  /\b(?:glpat|pplx|xai)-[\w-]{16,}/,
  /\bAIza[\w-]{20,}/,
  /\bA[KS]IA[0-9A-Z]{12,}/,
  /\bya29\.[\w-]{16,}/,
  /\bBearer [\w.~+/-]{16,}/,
  /\beyJ[\w-]{8,200}\.eyJ[\w-]{8}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];
export const KEY = new RegExp(KEYS.map(({ source }) => source).join('|'));

/** Whether a value holds what looks like a key of some service, names of fields included. */
export function looksLikeKey(value: unknown): boolean {
  if (typeof value === 'string') return KEY.test(value);
  return typeof value === 'object' && value !== null && KEY.test(JSON.stringify(value));
}

/** A slug in Latin letters and digits; empty where nothing is left. */
export const slugOf = (text: string, lengthMax: number): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, lengthMax)
    .replace(/^-+|(?<!-)-+$/g, '');

/** A key of a case, as the service takes it. */
export const CASE_KEY = /^[a-z0-9][a-z0-9_-]{0,99}$/;

/** A name that the service takes, of a text of anybody. */
export const nameOf = (text: string): string =>
  [
    ...text
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_LENGTH_MAX)
    .join('')
    .slice(0, NAME_LENGTH_MAX)
    .toWellFormed()
    .trim();

const NAME_LENGTH_MAX = 200;

/** Gives each name once: one that is taken gets a number. */
export class Names {
  readonly #taken = new Set<string>();

  unique(name: string): string {
    let key = name;
    for (let number = 2; this.#taken.has(key); number++) key = `${name}-${number}`;
    this.#taken.add(key);
    return key;
  }
}

/**
 * Names of contents. One that several contents have gets a part that is made of the content, for each of them: else the name
 * of one would be that of another one in another order, and with it what was answered to it.
 */
export class ContentNames {
  readonly #contents = new Map<string, Set<string>>();

  add(name: string, content: unknown): void {
    const known = this.#contents.get(name) ?? new Set<string>();
    this.#contents.set(name, known.add(hashOf(JSON.stringify(content))));
  }

  of(name: string, content: unknown): string {
    const isShared = (this.#contents.get(name)?.size ?? 0) > 1;
    return isShared ? `${name}-${hashOf(JSON.stringify(content))}` : name;
  }
}

const HASH_LENGTH = 8;

/** Few characters that depend on all of a text. */
export const hashOf = (text: string): string => hash('sha256', text).slice(0, HASH_LENGTH);

const WORDS_LENGTH_MAX = 48;
/** Of such a text no other one has the same words, but for those that differ in case or punctuation. */
const PLAIN = /^[A-Za-z0-9\s,.;:!?'"’]*$/;

/**
 * A key that says what a text is about: its first words. Where they do not say all of it, a hash of the text follows, so that
 * the key depends on nothing but the text.
 */
export function keyOf(text: string): string {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const words = slugOf(plain, WORDS_LENGTH_MAX + 1);
  const isComplete =
    PLAIN.test(plain) &&
    words.length <= WORDS_LENGTH_MAX &&
    words !== '' &&
    slugOf(plain, plain.length) === words;
  if (isComplete) return words;
  const cut = words.length > WORDS_LENGTH_MAX ? words.replace(/-[^-]*$/, '') : words;
  return [cut === '' ? 'case' : cut, hashOf(plain)].join('-');
}
