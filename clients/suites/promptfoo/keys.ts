/** Keys as model providers, code hosts and this service make them. */
const KEYS = [
  ...[/\b(?:sk|xapp|xox[abeprs])-[\w-]{8,}/, /\b(?:egk|whsec|[rs]k_(?:live|test))_\w{8,}/],
  ...[/\b(?:gh[pousr]|github_pat|gsk|hf|npm|r8)_\w{16,}/, /\b(?:glpat|pplx|xai)-[\w-]{16,}/],
  ...[/\bAIza[\w-]{20,}/, /\bA[KS]IA[0-9A-Z]{12,}/, /\bya29\.[\w-]{16,}/, /\bBearer [\w.~+/-]{16,}/],
  ...[/\beyJ[\w-]{8,200}\.eyJ[\w-]{8}/, /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
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

/** Gives each name once: what is taken gets a number. */
export class Names {
  readonly #taken = new Set<string>();

  unique(name: string): string {
    let own = name;
    for (let number = 2; this.#taken.has(own); number++) own = `${name}-${number}`;
    this.#taken.add(own);
    return own;
  }
}
