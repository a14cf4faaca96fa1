import { countUpTo } from '../../contracts/json/jsonText.ts';
import { outlineOf } from '../../contracts/json/outline.ts';
import { firstRepeatedName } from '../../contracts/json/repeatedNames.ts';
import { firstVanishing, mayLeaveRange } from '../../contracts/json/roundedNumbers.ts';
import { quote } from './text.ts';

export const JSON_DEPTH_MAX = 64;

export type Parsed =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Numbers are written with an exponent or very long, so that written anew they may take more characters. */
      readonly mayGrow: boolean;
    }
  | {
      readonly ok: false;
      /** It is JSON, which readers take for different things: no part of it counts. */
      readonly isJson: boolean;
      readonly reason: string;
    };

/** At least so deep: how deep exactly is of no interest up to the limit. */
function depthOf(text: string): number {
  const brackets = countUpTo(JSON_DEPTH_MAX, text, '{') + countUpTo(JSON_DEPTH_MAX, text, '[');
  return brackets <= JSON_DEPTH_MAX ? brackets : outlineOf(text, text.search(/[[{]/)).depth;
}

/** `depth` is how deep its brackets nest, where that is known. */
export function parseOutput(text: string, depth = /^\s*[[{]/.test(text) ? depthOf(text) : 0): Parsed {
  // Validators and comparisons recurse, and the stack ends some thousand levels down.
  if (depth > JSON_DEPTH_MAX) return unusable(`nests deeper than ${JSON_DEPTH_MAX} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = `output is not valid JSON: ${whyUnparsable(text, error)}`;
    return { ok: false, isJson: false, reason };
  }
  const repeated = firstRepeatedName(text, value);
  if (repeated !== undefined) return unusable(`holds the name ${quote(repeated)} twice in one object`);
  if (!mayLeaveRange(text)) return { ok: true, value, mayGrow: false };
  // 1e999 is read as Infinity, which passes for a number and is shown as null.
  if (MAY_OVERFLOW.test(text) && holdsNonFinite(value)) return unusable('holds a number too large to read');
  // 1e-400 is read as 0, which it would be taken for.
  if (firstVanishing(text) !== undefined) return unusable('holds a number too small to read, which is not 0');
  return { ok: true, value, mayGrow: true };
}

const unusable = (why: string): Parsed => ({
  ok: false,
  isJson: true,
  reason: `output is not usable JSON: it ${why}`,
});

/** An exponent of two figures or some 300 figures in a row; less cannot overflow. */
const MAY_OVERFLOW = /[eE]\+?\d\d|(?<!\d)\d{299}/;
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
