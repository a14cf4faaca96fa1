import { isJsonObject, JSON_DEPTH_MAX, parseOutput } from '../compare/json.ts';
import type { CallArguments } from './trace.ts';

const MALFORMED: CallArguments = { malformed: true };

/** Of what a model wrote, as JSON text or as a value that was read already. The model's mistake is no fault of the trace. */
export function argumentsOf(written: unknown): CallArguments {
  if (written === '') return { arguments: {} };
  const value = typeof written === 'string' ? valueOf(written) : written;
  return isJsonObject(value) && isKeepable(value, JSON_DEPTH_MAX) ? { arguments: value } : MALFORMED;
}

/** Of a tool that takes free text. */
export const textOf = (written: string): CallArguments =>
  written.isWellFormed() ? { text: written } : MALFORMED;

function valueOf(text: string): unknown {
  const parsed = parseOutput(text);
  return parsed.ok ? parsed.value : undefined;
}

/** Half a surrogate pair, and a number that is not finite, have no digest. */
function isKeepable(value: unknown, levelsLeft: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (levelsLeft === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isKeepable(item, levelsLeft - 1));
  return Object.keys(value).every(
    (name) => name.isWellFormed() && isKeepable(Reflect.get(value, name), levelsLeft - 1),
  );
}
