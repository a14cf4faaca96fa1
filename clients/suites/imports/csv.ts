export interface CsvRow {
  /** From 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** A field begins with a quote that is not closed at its end: where it ends is a guess. */
  readonly isBroken: boolean;
}

/**
 * The rows of a CSV text (RFC 4180), each with the line that it begins in; empty lines are none. A quote within a field
 * that begins without one is a character like any other.
 */
export function* readCsv(text: string): Generator<CsvRow> {
  const pattern = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y;
  let [line, start] = [1, 1];
  let fields: string[] = [];
  let isBroken = false;
  while (pattern.lastIndex < text.length || fields.length > 0) {
    const at = pattern.lastIndex;
    const [whole = '', quoted, plain = '', end = ''] = pattern.exec(text) ?? relaxed(text, at);
    pattern.lastIndex = at + whole.length;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    isBroken ||= quoted === undefined && plain.startsWith('"');
    line += whole.split(/\r\n|\r|\n/).length - 1;
    if (end === ',') continue;
    if (fields.length > 1 || fields[0] !== '') yield { line: start, fields, isBroken };
    [fields, isBroken] = [[], false];
    start = line;
  }
}

/** A field that begins with a quote and goes on behind its end: all of it up to the next comma or line. */
function relaxed(text: string, at: number): readonly (string | undefined)[] {
  const [whole = '', plain = '', end = ''] = /^([^,\r\n]*)(,|\r?\n|\r|$)/.exec(text.slice(at)) ?? [];
  return [whole, undefined, plain, end];
}
