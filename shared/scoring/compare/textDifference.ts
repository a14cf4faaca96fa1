import { quote } from '../kit/text.ts';

const SHOWN_LENGTH = 80;
/** What is quoted before the difference, so that it is read within its word. */
const LEAD_LENGTH = 24;
/** A number goes on in these where a word ends. */
const WITHIN_WORD = /^(?:[\p{L}\p{N}]{2}|\d[.,:/%‰-])$/u;

/** How a text differs from another one. `bareActual` is what is left of it without white space around. */
export function textDifference(actual: string, expected: string, bareActual = actual.trim()): string {
  if (bareActual === expected.trim()) return edgeDifference(actual, expected);
  const start = startOfDifference(actual, expected);
  const longer = start === actual.length ? expected : actual;
  const isWithinWord = WITHIN_WORD.test(longer.slice(start - 1, start + 1));
  if (start === actual.length && !isWithinWord)
    return `ends after ${start} characters, before ${quotedAt(expected, start)}`;
  if (start === expected.length && !isWithinWord)
    return `goes on after expected with ${quotedAt(actual, start)}`;
  const [got, want] = [restAt(actual, start), restAt(expected, start)];
  return `differs from expected ${placeOf(actual, start)}: ${got} instead of ${want}`;
}

/** The second line and those behind it have a number. */
export function placeOf(text: string, index: number): string {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < index; end = text.indexOf('\n', end + 1)) line++;
  return `from character ${index + 1} on${line === 1 ? '' : `, in line ${line}`}`;
}

const quotedAt = (text: string, index: number): string => quote(text.slice(index, index + SHOWN_LENGTH));

/** What stands at a place, within its line: from the begin of the word or number, with some words before. */
export function restAt(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - LEAD_LENGTH), start);
  const lineEnd = text.indexOf('\n', start);
  const rest = quote(
    text.slice(start, Math.min(start + SHOWN_LENGTH, lineEnd === -1 ? text.length : lineEnd)),
  );
  return `${quote(leadIn(before, before.length === start), SHOWN_LENGTH).slice(0, -1)}${rest.slice(1)}`;
}

/** Of a word that is longer only its number: what the word has in common says little. */
function leadIn(before: string, isComplete: boolean): string {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (isComplete || line.length < before.length) return line;
  const end = line.search(/\s/);
  const lead = end === -1 ? (/[-+]?\d[\d.,:/]{0,24}$/.exec(line)?.[0] ?? '') : line.slice(end + 1);
  return lead && `…${lead}`;
}

/** In characters that are equal in both: never within one. */
export function startOfDifference(left: string, right: string): number {
  const length = commonPrefixLength(left, right);
  const last = left.charCodeAt(length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}

/** By halves: comparing slices is many times faster than comparing characters. */
function commonPrefixLength(a: string, b: string): number {
  let [same, limit] = [0, Math.min(a.length, b.length)];
  while (same < limit) {
    const middle = (same + limit + 1) >> 1;
    if (a.slice(same, middle) === b.slice(same, middle)) same = middle;
    else limit = middle - 1;
  }
  return same;
}

/** White space that is hard to imagine, such as a byte order mark, is shown. */
function edgeDifference(actual: string, expected: string): string {
  const message = 'differs from expected in leading or trailing whitespace only';
  const edges = [...edgesOf(actual), ...edgesOf(expected)];
  if (edges.every((edge) => /^[ \t\r\n]*$/.test(edge))) return message;
  const [before, behind, wantedBefore, wantedBehind] = edges.map((edge) => quote(edge, 20));
  return `${message}: ${before} before and ${behind} behind it instead of ${wantedBefore} and ${wantedBehind}`;
}

const edgesOf = (text: string): [before: string, behind: string] => [
  text.slice(0, text.length - text.trimStart().length),
  text.slice(text.trimEnd().length),
];
