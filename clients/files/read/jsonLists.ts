import { endOfString } from '../../../shared/contracts/json/jsonText.ts';
import { isJson, jsonFault } from './jsonFault.ts';
import { type JsonLine, linesOf } from './jsonText.ts';
import { lineOf } from './lines.ts';
import { type Problems, startOf } from './problems.ts';

/** The JSON texts of a file: one a line, or the items of one JSON list, each with the line where it begins. */
export function jsonTextsOf(file: string, text: string, problems: Problems): Iterable<JsonLine> {
  if (!/^\s*\[/.test(text)) return linesOf(text);
  if (isJson(text)) return itemsOf(text);
  reportFault(file, text, problems);
  return [];
}

/** A list with a slip is not read: each item behind it would be one more error. */
function reportFault(file: string, text: string, problems: Problems): void {
  const { offset, depth } = jsonFault(text);
  const place = { ...startOf(file), ...lineOf(text)(offset) };
  const isBehind = depth === 0 && text.slice(0, offset).trim() !== '';
  if (isBehind) problems.error(place, 'something follows the list: take it out, or put it in');
  else if (offset < text.length) problems.error(place, 'is not JSON from here on: correct it');
  else if (depth === 1) problems.error(place, 'the list is not closed: add "]"');
  else problems.error(place, 'the list ends within an item: is the file whole?');
}

/** Of a list, which is JSON. What its items hold is for their reader. */
function* itemsOf(text: string): Generator<JsonLine> {
  const placeIn = lineOf(text);
  let start = text.indexOf('[') + 1;
  let isMore = true;
  while (isMore) {
    const end = endOfItem(text, start);
    const item = text.slice(start, end);
    isMore = text[end] === ',';
    // An empty list has no item.
    if (item.trim() !== '') yield { line: placeIn(start + leading(item)).line, text: item };
    start = end + 1;
  }
}

/** At the comma behind it, or at the bracket that closes the list. */
function endOfItem(text: string, start: number): number {
  let depth = 0;
  for (let offset = start; offset < text.length; offset++) {
    const character = text[offset] ?? '';
    if (character === '"') offset = endOfString(text, offset);
    else if ('[{'.includes(character)) depth++;
    else if (depth === 0 && ',]'.includes(character)) return offset;
    else if (']}'.includes(character)) depth--;
  }
  return text.length;
}

const leading = (text: string): number => text.length - text.trimStart().length;
