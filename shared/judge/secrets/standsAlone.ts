/** How far to look: enough for blanks between a name and its value. */
const LOOKED_AT = 16;
const WORD = /[\p{L}\p{N}]/u;
/** A backslash changes the letter after it; a point may belong to a number or a host name. */
const GOES_ON_BEFORE = /(?:[\p{L}\p{N}_\-\\]|[\p{L}\p{N}_]\.)$/u;
const GOES_ON_AFTER = /^(?:[\p{L}\p{N}_-]|\.[\p{L}\p{N}_])/u;
const NAME_END = /^\\{0,4}"\s{0,8}:/;
const NAME_BEFORE = /"\s{0,6}:\s{0,6}$/;
const JSON_LITERAL = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;

/** Whether a short key is a separate word there: not part of a word, and no name or bare value in JSON. */
export function standsAlone(text: string, start: number, end: number): boolean {
  if (isPlainWord(text.charCodeAt(start - 1)) || isPlainWord(text.charCodeAt(end))) return false;
  const token = text.slice(start, end);
  if (!WORD.test(token)) return false;
  const before = text.slice(Math.max(0, start - LOOKED_AT), start);
  const after = text.slice(end, end + LOOKED_AT);
  if (GOES_ON_BEFORE.test(before) || GOES_ON_AFTER.test(after) || NAME_END.test(after)) return false;
  return !(NAME_BEFORE.test(before) && JSON_LITERAL.test(token));
}

/** A cheaper check before the regular expressions. */
const isPlainWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
