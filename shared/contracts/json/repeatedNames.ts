import { endOfString, isClosing, isOpening } from './jsonText.ts';

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];

/**
 * The first name that an object has twice, be it escaped: `{"a":1,"\u0061":2}`. Readers differ in which they keep.
 * `value` is what the text, which has to be JSON, was parsed to: it has fewer names then.
 */
export function firstRepeatedName(json: string, value: unknown): string | undefined {
  const most = mostNames(json);
  if (most === 0) return undefined;
  const count = nameCount(value);
  return count === most ? undefined : firstRepeatedPath(json, count)?.at(-1);
}

/** The same with its path, where it is known how many names `value` has. */
export function firstRepeatedPath(json: string, count: number): string[] | undefined {
  return count === mostNames(json) || count === exactCount(json) ? undefined : pathOfRepeated(json);
}

function nameCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += nameCount(item);
    return count;
  }
  // `for … in` builds no list of names, and parsed JSON inherits none.
  for (const name in value) count += 1 + nameCount((value as Record<string, unknown>)[name]);
  return count;
}

/** As many as there are names, but that a text that begins with a colon counts, too: found several times as fast. */
function mostNames(json: string): number {
  let count = 0;
  for (let colon = json.indexOf(':'); colon !== -1; colon = json.indexOf(':', colon + 1)) {
    let index = colon - 1;
    let unit = json.charCodeAt(index);
    while (unit <= 0x20 && isBlank(unit)) unit = json.charCodeAt(--index);
    if (unit === QUOTE && !isEscaped(json, index)) count++;
  }
  return count;
}

const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;

function isEscaped(json: string, index: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function exactCount(json: string): number {
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(json, index);
    else if (unit === COLON) count++;
  }
  return count;
}

interface Frame {
  readonly names: Set<string>;
  /** The name of the member, or the number of the item, that the text is in. */
  at: string | number;
}

/** The path of the first name that its object has already. */
function pathOfRepeated(json: string): string[] | undefined {
  const around = [newFrame()];
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (unit !== QUOTE) {
      step(around, unit);
      continue;
    }
    const end = endOfString(json, index);
    if (isBeforeColon(json, end) && isKnown(around.at(-1), json.slice(index, end + 1)))
      return around.slice(1).map((frame) => String(frame.at));
    index = end;
  }
  return undefined;
}

const newFrame = (): Frame => ({ names: new Set(), at: 0 });

function step(around: Frame[], unit: number): void {
  const frame = around.at(-1);
  if (isOpening(unit)) around.push(newFrame());
  else if (isClosing(unit)) around.pop();
  else if (unit === COMMA && typeof frame?.at === 'number') frame.at++;
}

function isBeforeColon(json: string, end: number): boolean {
  let next = end + 1;
  while (isBlank(json.charCodeAt(next))) next++;
  return json.charCodeAt(next) === COLON;
}

/** Whether the object has the name already; it has it from now on. */
function isKnown(frame: Frame | undefined, written: string): boolean {
  if (frame === undefined) return false;
  const name: string = JSON.parse(written);
  frame.at = name;
  return frame.names.has(name) || frame.names.add(name) === undefined;
}
