/** Why a row that is broken is no row. */
export const BROKEN_QUOTE = 'has a quote that is not closed, or more behind it: double quotes within';

export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** A field begins with a quote that is not closed at its end: where it ends is a guess. */
  readonly isBroken: boolean;
}

interface Field {
  readonly text: string;
  readonly isBroken: boolean;
  /** Where it ends: at a comma, at the end of a line, or of the text. */
  readonly end: number;
}

/**
 * The rows of a CSV text (RFC 4180), each with the line that it begins in; empty lines are none. A quote within a field
 * that begins without one is a character like any other, and so is one that is not closed where its field ends.
 */
export function* readCsv(text: string): Generator<CsvRow> {
  let [line, start] = [1, 1];
  let fields: Field[] = [];
  for (let index = 0; index < text.length || fields.length > 0; ) {
    const field = fieldAt(text, index);
    fields.push(field);
    const next = field.end + lengthOfEnd(text, field.end);
    line += lineEndsIn(text.slice(index, next));
    index = next;
    if (text[field.end] === ',') continue;
    if (fields.length > 1 || field.text !== '') {
      const isBroken = fields.some((one) => one.isBroken);
      yield { line: start, fields: fields.map((one) => one.text), isBroken };
    }
    fields = [];
    start = line;
  }
}

function fieldAt(text: string, start: number): Field {
  const isQuoted = text[start] === '"';
  const closing = isQuoted ? closingQuote(text, start) : undefined;
  if (closing !== undefined && isEnd(text, closing + 1)) {
    const quoted = text.slice(start + 1, closing).replaceAll('""', '"');
    return { text: quoted, isBroken: false, end: closing + 1 };
  }
  END.lastIndex = start;
  const end = END.exec(text)?.index ?? text.length;
  return { text: text.slice(start, end), isBroken: isQuoted, end };
}

const END = /[,\r\n]/g;

/** Of the two quotes of a pair, neither closes. */
function closingQuote(text: string, start: number): number | undefined {
  for (let index = text.indexOf('"', start + 1); index !== -1; index = text.indexOf('"', index + 2)) {
    if (text[index + 1] !== '"') return index;
  }
  return undefined;
}

const isEnd = (text: string, index: number): boolean =>
  index >= text.length || ',\r\n'.includes(text[index] ?? '');

function lengthOfEnd(text: string, end: number): number {
  if (end >= text.length) return 0;
  return text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1;
}

const lineEndsIn = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0;
