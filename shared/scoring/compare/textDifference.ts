import { quote } from '../engine/text.ts';

const SHOWN_LENGTH = 80;

/** How a text differs from another one. `bareActual` is what is left of it without white space around. */
export function textDifference(actual: string, wanted: string, bareActual = actual.trim()): string {
  if (bareActual === wanted.trim()) return edgeDifference(actual, wanted);
  const at = startOfDifference(actual, wanted);
  const [got, want] = [restAt(actual, at), restAt(wanted, at)];
  if (at === actual.length) return `ends after ${at} characters, before ${want}`;
  if (at === wanted.length) return `goes on after expected with ${got}`;
  return `differs from expected from character ${at + 1} on: ${got} instead of ${want}`;
}

export const restAt = (text: string, at: number): string => quote(text.slice(at, at + SHOWN_LENGTH));

/** In characters that are equal in both: never within one. */
export function startOfDifference(one: string, other: string): number {
  const at = commonPrefixLength(one, other);
  const last = one.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
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
function edgeDifference(actual: string, wanted: string): string {
  const message = 'differs from expected in leading or trailing whitespace only';
  const edges = [...edgesOf(actual), ...edgesOf(wanted)];
  if (edges.every((edge) => /^[ \t\r\n]*$/.test(edge))) return message;
  const [before, behind, wantedBefore, wantedBehind] = edges.map((edge) => quote(edge, 20));
  return `${message}: ${before} before and ${behind} behind it instead of ${wantedBefore} and ${wantedBehind}`;
}

const edgesOf = (text: string): [before: string, behind: string] => [
  text.slice(0, text.length - text.trimStart().length),
  text.slice(text.trimEnd().length),
];
