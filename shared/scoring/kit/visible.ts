const PLAIN = /^[\n\x20-\x7e]*$/;
/** All that is no letter, mark, number, sign or the usual blank, and what is ignorable or blank of these. */
const INVISIBLE = /(?![\t\n\r ])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;
/** Characters that Unicode's normalization joins, as in a letter and its accent or the parts of a Hangul syllable. */
const CLUSTER =
  /\P{M}\p{M}+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[가-힣][\u11a8-\u11c2]|\P{ASCII}/gu;
const NOT_ASCII = /\P{ASCII}/gu;
/** It would stand over what was put before the text. */
const LEADING_MARK = /^\p{M}/u;

/**
 * A text in which no two different ones look alike for what they are made of: what cannot be seen is written as escapes
 * of JavaScript, and so is a letter that is composed in another way than usual.
 */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  const shown = text.replace(INVISIBLE, escaped).replace(LEADING_MARK, escaped);
  return shown.normalize() === shown ? shown : shown.replace(CLUSTER, composed);
}

const composed = (cluster: string): string =>
  cluster.normalize() === cluster ? cluster : cluster.replace(NOT_ASCII, escaped);

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
