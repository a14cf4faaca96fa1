import { endOfString } from '../../contracts/json/jsonText.ts';
import { firstVanishing, mayLeaveRange } from '../../contracts/json/roundedNumbers.ts';

export const JSON_DEPTH_MAX = 64;

export type Parsed =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Numbers are written with an exponent or very long, so that written anew they may take more characters. */
      readonly mayGrow: boolean;
    }
  | { readonly ok: false; readonly reason: string };

/** True when brackets nest deeper than `limit`. Linear, so it may run before anything that recurses. */
function textNestsDeeperThan(text: string, limit: number): boolean {
  if (countUpTo(limit, text, '{') + countUpTo(limit, text, '[') <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length && depth <= limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth++;
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth--;
  }
  return depth > limit;
}

/** How often a character occurs; stops counting beyond `limit`. */
function countUpTo(limit: number, text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= limit; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

const QUOTE = 0x22;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export function parseOutput(text: string): Parsed {
  // Validators and comparisons recurse, and the stack ends some thousand levels down.
  if (/^\s*[[{]/.test(text) && textNestsDeeperThan(text, JSON_DEPTH_MAX)) {
    return { ok: false, reason: `output is not usable JSON: it nests deeper than ${JSON_DEPTH_MAX} levels` };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (!mayLeaveRange(text)) return { ok: true, value, mayGrow: false };
    // 1e999 is read as Infinity, which passes for a number and is shown as null.
    if (MAY_OVERFLOW.test(text) && holdsNonFinite(value)) return TOO_LARGE;
    // 1e-400 is read as 0, which it would be taken for.
    if (firstVanishing(text) !== undefined) return TOO_SMALL;
    return { ok: true, value, mayGrow: true };
  } catch (error) {
    return { ok: false, reason: `output is not valid JSON: ${whyUnparsable(text, error)}` };
  }
}

/** An exponent of two figures or some 300 figures in a row; less cannot overflow. */
const MAY_OVERFLOW = /[eE]\+?\d\d|(?<!\d)\d{299}/;
const TOO_LARGE: Parsed = {
  ok: false,
  reason: 'output is not usable JSON: it holds a number too large to read',
};

const TOO_SMALL: Parsed = {
  ok: false,
  reason: 'output is not usable JSON: it holds a number too small to read, which is not 0',
};

function holdsNonFinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNonFinite);
}

function whyUnparsable(text: string, error: unknown): string {
  if (text.trim() === '') return 'it is empty';
  if (text.trimStart().startsWith('```')) return 'it is wrapped in a Markdown code fence';
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/ is not valid JSON$/, '').toWellFormed();
}

export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function nestsDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  return Object.values(value).some((child) => nestsDeeperThan(child, limit - 1));
}

/** JSON text with sorted keys: equal for equal values. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, child]) => `${JSON.stringify(key)}:${canonicalJson(child)}`).join(',')}}`;
}

/** One step of a JSON pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  return '/' + String(key).replaceAll('~', '~0').replaceAll('/', '~1');
}
