import { areDistinct } from './distinctNames.ts';
import { countUpTo, endOfString } from './jsonText.ts';

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];

/**
 * The first name that an object has twice, be it escaped: `{"a":1,"\u0061":2}`. Readers differ in which they keep.
 * `value` is what the text, which has to be JSON, was parsed to: it has fewer names then.
 */
export function firstRepeatedName(json: string, value: unknown): string | undefined {
  const most = mostNames(json);
  if (most === 0) return undefined;
  const objects = countUpTo(most / LIST_WIDTH, json, '{');
  if (most >= objects * TABLE_WIDTH && areDistinct(json, most)) return undefined;
  const count = nameCount(value, most >= objects * LIST_WIDTH);
  return count === most || count === exactCount(json) ? undefined : repeatedIn(json);
}

/** Names of an object, in the mean, from which on V8 lists them faster than it walks them. */
const LIST_WIDTH = 128;
/** From which on it takes longer to list them than to compare them. */
const TABLE_WIDTH = 20_000;

function nameCount(value: unknown, areListed: boolean): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return inItems(value, areListed);
  const members = value as Record<string, unknown>;
  let count = 0;
  if (areListed) {
    const names = Object.keys(members);
    for (const name of names) if (typeof members[name] === 'object') count += nameCount(members[name], true);
    return count + names.length;
  }
  // `for … in` builds no list of names, and parsed JSON inherits none.
  for (const name in members) {
    count++;
    if (typeof members[name] === 'object') count += nameCount(members[name], false);
  }
  return count;
}

function inItems(items: readonly unknown[], areListed: boolean): number {
  let count = 0;
  for (let at = 0; at < items.length; at++) {
    if (typeof items[at] === 'object') count += nameCount(items[at], areListed);
  }
  return count;
}

/** As many as there are names, but that a text that begins with a colon counts, too: found several times as fast. */
function mostNames(json: string): number {
  let count = 0;
  for (let colon = json.indexOf(':'); colon !== -1; colon = json.indexOf(':', colon + 1)) {
    let at = colon - 1;
    while (isBlank(json.charCodeAt(at))) at--;
    if (json.charCodeAt(at) === QUOTE && !isEscaped(json, at)) count++;
  }
  return count;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function exactCount(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(json, at);
    else if (unit === COLON) count++;
  }
  return count;
}

const NAME_OR_BRACKET = /"[^"\\]*(?:\\.[^"\\]*)*(?:"(\s*:)?|\\?$)|([[{])|[\]}]/gs;

function repeatedIn(json: string): string | undefined {
  const around: Set<string>[] = [];
  let names = new Set<string>();
  for (const [token, colon, opening] of json.matchAll(NAME_OR_BRACKET)) {
    if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      if (names.has(name)) return name;
      names.add(name);
    } else if (opening !== undefined) {
      around.push(names);
      names = new Set();
    } else if (!token.startsWith('"')) names = around.pop() ?? names;
  }
  return undefined;
}
