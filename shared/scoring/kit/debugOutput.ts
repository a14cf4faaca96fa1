import { cut } from './text.ts';

export type ScorerOutput = Readonly<Record<string, unknown>>;

const FIELD_LENGTH_MAX = 8_192;
const SHOWN_FIELD_LENGTH = 2_000;
/** So that several entries fit, even where each character takes six of JSON. */
const SHOWN_ENTRY_TEXT_LENGTH = 100;

export interface Shown {
  readonly value: unknown;
  readonly truncated: boolean;
}

/** Of a text, what takes six characters of JSON; all else takes two at most. */
const TAKES_SIX = /[\u0000-\u0007\u000b\u000e-\u001f\ud800-\udfff]/;

const isShortText = (value: unknown): boolean =>
  typeof value === 'string' && value.length * 2 + 2 <= FIELD_LENGTH_MAX && !TAKES_SIX.test(value);

export function show(value: unknown): Shown {
  if (isShortText(value)) return { value, truncated: false };
  if (jsonLengthBound(value, FIELD_LENGTH_MAX) <= FIELD_LENGTH_MAX) return { value, truncated: false };
  const json = JSON.stringify(value);
  if (json.length <= FIELD_LENGTH_MAX) return { value, truncated: false };
  return { value: cut(typeof value === 'string' ? value : json, SHOWN_FIELD_LENGTH), truncated: true };
}

/** The first entries of a list that fit, with their texts cut. */
export function showList<Entry>(
  entries: readonly Entry[],
  cutTexts: (entry: Entry, maxLength: number) => Entry,
): Shown {
  const complete = show(entries);
  if (!complete.truncated) return complete;
  const shown: Entry[] = [];
  let length = 0;
  for (const entry of entries) {
    const cutEntry = cutTexts(entry, SHOWN_ENTRY_TEXT_LENGTH);
    length += JSON.stringify(cutEntry).length + 1;
    if (length > SHOWN_FIELD_LENGTH && shown.length > 0) break;
    shown.push(cutEntry);
  }
  return { value: shown, truncated: true };
}

/** The same as `show`, of what `text` was parsed to: most are not looked through to know that they fit. */
export function showParsed({ value, mayGrow }: { value: unknown; mayGrow: boolean }, text: string): Shown {
  // Only lone surrogates and some numbers take more characters when they are written anew.
  const fits = !mayGrow && text.length <= FIELD_LENGTH_MAX && text.isWellFormed();
  return fits ? { value, truncated: false } : show(value);
}

/** A document is shown as a whole or not at all: a cut one would be another document, or no JSON. */
export function completeOrNull(shown: Shown): Shown {
  return shown.truncated ? { value: null, truncated: true } : shown;
}

/** `fields` with a mark if one of them was cut: `shown` are those that may be, as `show` returned them. */
export function scorerOutput(fields: ScorerOutput, ...shown: readonly Shown[]): ScorerOutput {
  return shown.some((field) => field.truncated) ? { ...fields, truncated: true } : fields;
}

/** An upper bound of the JSON text's length, without building it; stops counting beyond `limit`. */
function jsonLengthBound(value: unknown, limit: number): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 25;
  let length = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && length <= limit; index++) {
      length += jsonLengthBound(value[index], limit - length) + 1;
    }
    return length;
  }
  for (const key in value) {
    if (length > limit) break;
    length += key.length * 6 + 4 + jsonLengthBound((value as Record<string, unknown>)[key], limit - length);
  }
  return length;
}
