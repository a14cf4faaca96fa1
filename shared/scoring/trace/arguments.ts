import { isJsonObject, JSON_DEPTH_MAX, parseOutput } from '../kit/json.ts';
import type { CallArguments } from '../kit/trace.ts';

const MALFORMED: CallArguments = { malformed: true };

/** Of what a model wrote, as JSON text or as a value that was read already. The model's mistake is no fault of the trace. */
export function argumentsOf(written: unknown): CallArguments {
  if (written === '' || written === null) return { arguments: {} };
  if (typeof written === 'string') return ofText(written);
  return isJsonObject(written) && isKeepable(written, JSON_DEPTH_MAX) ? { arguments: written } : MALFORMED;
}

/** Of a tool that takes free text. */
export const textOf = (written: string): CallArguments =>
  written.isWellFormed() ? { text: written } : MALFORMED;

/** What a tool answered, of a text or its parts: as JSON where it is that. Undefined where that is not known. */
export function resultOf(content: unknown): unknown {
  const text = typeof content === 'string' ? content : textOfParts(content);
  if (text === undefined) return undefined;
  const parsed = parseOutput(text);
  return parsed.ok ? keptValue(parsed.value) : parsed.isJson ? undefined : keptValue(text);
}

/** The same of a value that was read already: what has no digest is not known. */
export const keptValue = (value: unknown): unknown => (isKeepable(value, JSON_DEPTH_MAX) ? value : undefined);

/** Of a picture nothing is known. */
function textOfParts(parts: unknown): string | undefined {
  if (!Array.isArray(parts) || parts.length === 0) return undefined;
  const texts = parts.map((part) =>
    isJsonObject(part) && TEXTS.includes(part.type) ? part.text : undefined,
  );
  return texts.every((text) => typeof text === 'string') ? texts.join('') : undefined;
}

const TEXTS: readonly unknown[] = ['text', 'input_text', 'output_text'];

/** A parsed text nests no deeper, and its numbers are finite. */
function ofText(text: string): CallArguments {
  const parsed = parseOutput(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return MALFORMED;
  const isComplete = !text.includes('\\u') && text.isWellFormed();
  return isComplete || isKeepable(parsed.value, JSON_DEPTH_MAX) ? { arguments: parsed.value } : MALFORMED;
}

/** Half a surrogate pair, and a number that is not finite, have no digest. */
function isKeepable(value: unknown, levelsLeft: number): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return value !== undefined;
  if (levelsLeft === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isKeepable(item, levelsLeft - 1));
  for (const name in value) {
    if (!name.isWellFormed() || !isKeepable(Reflect.get(value, name), levelsLeft - 1)) return false;
  }
  return true;
}
