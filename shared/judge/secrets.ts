import { CONTRACT_LIMITS } from '../contracts/base/limits.ts';
import type { Secret } from '../domain/byok/secret.ts';

const REDACTED = '[redacted]';
/** The length from which a piece of a key is hidden. Shorter pieces are common words. */
const FRAGMENT_LENGTH = 12;
/** A shorter key may be a common word or number: it is hidden only as a word of its own, and never in names. */
const WORD_LENGTH = 8;
const JSON_DEPTH_MAX = CONTRACT_LIMITS.jsonDepth;

/** Anything that could be a key with its middle masked. */
const TOKEN = /[A-Za-z0-9_\-+/=.*•…]{6,}/g;
/** Each part has one possible end, so that matching takes linear time. */
const MASKED = /^([A-Za-z0-9_-]*)(?:[*•…]+(?![*•…])|\.{2,}(?!\.))([A-Za-z0-9_-]*)(?:(?![A-Za-z0-9_-])\W*)?$/;

/** Field names are not rewritten for a key that could be a word. */
export type Scrub = (text: string, as?: 'text' | 'name') => string;

/** Removes the key, which providers quote in errors: whole, in parts or masked ("sk-abc***xyz"). The result is never longer. */
export function createScrub(secret: Secret): Scrub {
  const apiKey = secret.reveal();
  if (apiKey.length < WORD_LENGTH) return scrubWord(apiKey);
  const inJson = JSON.stringify(apiKey).slice(1, -1);
  const length = Math.min(FRAGMENT_LENGTH, apiKey.length);
  const fragments = new Set(
    [apiKey, inJson, inJson.replaceAll('/', '\\/')].flatMap((form) => windowsOf(form, length)),
  );
  return (text) => {
    const isHidden = new Uint8Array(text.length);
    for (let index = 0; index + length <= text.length; index++) {
      if (fragments.has(text.slice(index, index + length))) isHidden.fill(1, index, index + length);
    }
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (isMaskedKey(token, apiKey)) isHidden.fill(1, index, index + token.length);
    }
    return rewritten(text, isHidden);
  };
}

const windowsOf = (form: string, length: number): string[] =>
  Array.from({ length: form.length - length + 1 }, (_, index) => form.slice(index, index + length));

function scrubWord(apiKey: string): Scrub {
  if (!/\w/.test(apiKey)) return (text) => text;
  const codes = Array.from(apiKey, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_-])${codes.join('')}(?![\\p{L}\\p{N}_-])`, 'gu');
  return (text, as = 'text') => (as === 'name' ? text : text.replace(word, placeholder(apiKey.length)));
}

function rewritten(text: string, isHidden: Uint8Array): string {
  let written = '';
  for (let start = 0, end = 0; start < text.length; start = end) {
    const next = isHidden.indexOf(isHidden[start] === 1 ? 0 : 1, start);
    end = next === -1 ? text.length : next;
    written += isHidden[start] === 1 ? placeholder(end - start) : text.slice(start, end);
  }
  return written;
}

const placeholder = (length: number): string =>
  length < REDACTED.length ? '***'.slice(0, length) : REDACTED;

function isMaskedKey(token: string, apiKey: string): boolean {
  const [, start = '', end = ''] = MASKED.exec(token) ?? [];
  return start.length + end.length >= 3 && apiKey.startsWith(start) && apiKey.endsWith(end);
}

class TooDeep extends Error {}

/** A copy of parsed JSON with every string, names included, scrubbed and well-formed. */
export function scrubJson(value: unknown, scrub: Scrub, depth = 0): unknown {
  if (depth > JSON_DEPTH_MAX) throw new TooDeep(`nested more than ${JSON_DEPTH_MAX} levels`);
  if (typeof value === 'string') return scrub(value).toWellFormed();
  if (typeof value === 'number') return scrubNumber(value, scrub);
  if (Array.isArray(value)) return value.map((item) => scrubJson(item, scrub, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const uniqueName = uniqueNames();
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      uniqueName(scrub(name, 'name').toWellFormed()),
      scrubJson(item, scrub, depth + 1),
    ]),
  );
}

/** A key may consist of digits. */
function scrubNumber(value: number, scrub: Scrub): number | string {
  const written = String(value);
  const scrubbed = scrub(written, 'name');
  return scrubbed === written ? value : scrubbed;
}

/** Names that differed only by the key, or by a lone surrogate, stay different. */
function uniqueNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 0;
    let unique = name;
    while (counts.has(unique)) {
      count += 1;
      unique = `${name} ${count}`;
    }
    counts.set(name, Math.max(count, 1));
    counts.set(unique, 1);
    return unique;
  };
}
