/** For a regular expression without flags, so that every character is itself. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/[\n\r\u2028\u2029]/g, (character) => LINE_ENDS.get(character) ?? '');
const LINE_ENDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '\n': '\\n',
    '\r': '\\r',
    '\u2028': '\\u2028',
    '\u2029': '\\u2029',
  }),
);

/** The same in any case. Undefined with letters that have another case and are not of a to z. */
export function foldedPattern(text: string): string | undefined {
  const isPlain = [...text].every(
    (character) => /[\x00-\x7f]/.test(character) || character.toLowerCase() === character.toUpperCase(),
  );
  return isPlain
    ? escaped(text).replace(/(\\?)([a-z])/g, (match, slash: string, letter: string) =>
        slash === '' ? `[${letter}${letter.toUpperCase()}]` : match,
      )
    : undefined;
}
