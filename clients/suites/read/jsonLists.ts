import { endOfString } from '../../../shared/contracts/json/jsonText.ts';
import { type JsonLine, linesOf } from './jsonText.ts';
import { lineOf } from './lines.ts';
import { type Place, type Problems, startOf } from './problems.ts';

/** The JSON texts of a file: one a line, or the items of one JSON list, each with the line where it begins. */
export function jsonTextsOf(file: string, text: string, problems: Problems): Iterable<JsonLine> {
  return /^\s*\[/.test(text) ? itemsOf(file, text, problems) : linesOf(text);
}

/** Of a list. What its items hold is for their reader: only brackets, commas and texts are recognized here. */
function* itemsOf(file: string, text: string, problems: Problems): Generator<JsonLine> {
  const placeIn = lineOf(text);
  const lineAt = (offset: number): number => placeIn(offset).line;
  const placeOf = (offset: number): Place => ({ ...startOf(file), line: lineAt(offset) });
  let start = text.indexOf('[') + 1;
  let isMore = true;
  for (let count = 0; isMore; count++) {
    const end = endOfItem(text, start);
    const item = text.slice(start, end);
    isMore = text[end] === ',';
    // An empty list has no item. Beside a comma there is one.
    if (isMore || count > 0 || item.trim() !== '') yield { line: lineAt(start + leading(item)), text: item };
    start = end + 1;
  }
  const rest = text.slice(start);
  if (text[start - 1] !== ']') problems.error(placeOf(text.length), 'the list is not closed: add "]"');
  else if (rest.trim() !== '') {
    problems.error(
      placeOf(start + leading(rest)),
      'something stands behind the list: take it out, or put it in',
    );
  }
}

/** At the comma behind it, or at a bracket that it did not open. */
function endOfItem(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') at = endOfString(text, at);
    else if ('[{'.includes(character)) depth++;
    else if (depth === 0 && ',]}'.includes(character)) return at;
    else if (']}'.includes(character)) depth--;
  }
  return text.length;
}

const leading = (text: string): number => text.length - text.trimStart().length;
