const REDACTED = '[redacted]';
/** As long as a piece of a key has to be to be worth hiding; shorter ones are common words. */
const FRAGMENT_LENGTH = 12;
const JSON_DEPTH_MAX = 64;

/** Anything that could be a key, a part of one, or one with its middle masked. */
const TOKEN = /[A-Za-z0-9_\-+/=.*•…]{6,}/g;
/** Each part ends where the next one begins: a part that could be cut in several places takes quadratic time. */
const MASKED = /^([A-Za-z0-9_-]*)(?:[*•…]+(?![*•…])|\.{2,}(?!\.))([A-Za-z0-9_-]*)(?:(?![A-Za-z0-9_-])\W*)?$/;

export type Scrub = (text: string) => string;

/** Providers echo keys in their errors, whole or masked ("sk-abc***xyz"). */
export function createScrub(apiKey: string): Scrub {
  const whole = [apiKey, encodeURIComponent(apiKey), Buffer.from(apiKey).toString('base64')];
  const fragments = new Set<string>();
  for (let at = 0; at + FRAGMENT_LENGTH <= apiKey.length; at++) {
    fragments.add(apiKey.slice(at, at + FRAGMENT_LENGTH));
  }
  const tells = (token: string) => isMaskedKey(token, apiKey) || holdsAny(token, fragments);
  return (text) => {
    const rest = whole.reduce((scrubbed, form) => scrubbed.replaceAll(form, REDACTED), text);
    return rest.replace(TOKEN, (token) => (tells(token) ? REDACTED : token));
  };
}

function isMaskedKey(token: string, apiKey: string): boolean {
  const [, start = '', end = ''] = MASKED.exec(token) ?? [];
  return start.length + end.length >= 3 && apiKey.startsWith(start) && apiKey.endsWith(end);
}

function holdsAny(token: string, fragments: ReadonlySet<string>): boolean {
  for (let at = 0; at + FRAGMENT_LENGTH <= token.length; at++) {
    if (fragments.has(token.slice(at, at + FRAGMENT_LENGTH))) return true;
  }
  return false;
}

export class TooDeep extends Error {}

/** A copy of parsed JSON with every string, names included, scrubbed and well-formed. */
export function scrubJson(value: unknown, scrub: Scrub, depth = 0): unknown {
  if (depth > JSON_DEPTH_MAX) throw new TooDeep(`nested more than ${JSON_DEPTH_MAX} levels`);
  if (typeof value === 'string') return scrub(value).toWellFormed();
  if (Array.isArray(value)) return value.map((item) => scrubJson(item, scrub, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      scrub(name).toWellFormed(),
      scrubJson(item, scrub, depth + 1),
    ]),
  );
}
