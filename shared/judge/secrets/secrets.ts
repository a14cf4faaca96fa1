import { CONTRACT_LIMITS } from '../../contracts/base/limits.ts';
import type { Secret } from '../../domain/byok/secret.ts';
import { formsOf } from './keyForms.ts';
import { occurrences, Pattern } from './occurrences.ts';
import { standsAlone } from './standsAlone.ts';

const REDACTED = '[redacted]';
/** The length from which a piece of a key is hidden. Shorter pieces are common words. */
const FRAGMENT_LENGTH = 12;
/** A shorter key may be a common word or number: it is hidden only where it stands alone. */
const WORD_LENGTH = 8;
const JSON_DEPTH_MAX = CONTRACT_LIMITS.jsonDepth;

/** Anything that could be a key, a part of one, or one with its middle masked. */
const TOKEN = /[A-Za-z0-9_\-+/=.*•…]{6,}/g;
/** Each part has one possible end, so that matching takes linear time. */
const MASKED = /^([A-Za-z0-9_-]*)(?:[*•…]+(?![*•…])|\.{2,}(?!\.))([A-Za-z0-9_-]*)(?:(?![A-Za-z0-9_-])\W*)?$/;

/** Field names are not rewritten for a key that could be a word. */
export type Scrub = (text: string, as?: 'text' | 'name') => string;

/** Removes the key, which providers quote in errors, whole or masked ("sk-abc***xyz"). The result is never longer. */
export function createScrub(secret: Secret): Scrub {
  const apiKey = secret.reveal();
  const patterns = [...formsOf(apiKey)].map((form) => new Pattern(form));
  const fragments = new Set<string>();
  for (let at = 0; at + FRAGMENT_LENGTH <= apiKey.length; at++) {
    fragments.add(apiKey.slice(at, at + FRAGMENT_LENGTH));
  }
  const isRevealing = (token: string) => isMaskedKey(token, apiKey) || holdsAny(token, fragments);
  const withoutParts = (text: string) =>
    text.replace(TOKEN, (token) => (isRevealing(token) ? placeholder(token.length) : token));
  const isWord = apiKey.length < WORD_LENGTH;
  return (text, as = 'text') => {
    if (isWord && as === 'name') return text;
    const counts = isWord ? (start: number, end: number) => standsAlone(text, start, end) : () => true;
    return rewritten(text, occurrences(text, patterns, counts), withoutParts);
  };
}

/** Replaces covered text by a placeholder, which is not searched again. */
function rewritten(text: string, covered: Uint8Array | undefined, others: (text: string) => string): string {
  if (covered === undefined) return others(text);
  let written = '';
  for (let start = 0, end = 0; start < text.length; start = end) {
    const isCovered = covered[start];
    const next = covered.indexOf(isCovered === 1 ? 0 : 1, start);
    end = next === -1 ? text.length : next;
    written += isCovered === 1 ? placeholder(end - start) : others(text.slice(start, end));
  }
  return written;
}

const placeholder = (length: number): string =>
  length < REDACTED.length ? '***'.slice(0, length) : REDACTED;

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
