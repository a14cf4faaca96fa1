/**
 * Characters that models see and people don't: controls, zero-width characters, bidirectional marks and overrides,
 * fillers, tag characters, variation selectors. U+FE0F, which makes an emoji, stays, and so do tabs and line ends.
 */
const INVISIBLE = /(?!\u200C|\u200D|\uFE0F|[\t\n\r])[\p{Default_Ignorable_Code_Point}\p{Cc}\uFFF9-\uFFFB]/gu;

const JOINERS = /\u200C|\u200D/g;

/**
 * A character of Arabic and its relatives, of an Indic script, or a pictograph. Beside one, U+200C and U+200D are
 * spelling: without them a Persian word is another one, and a family is three people.
 */
const WRITTEN_WITH_JOINERS =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Mymr}\p{scx=Khmr}\p{scx=Tibt}\p{Extended_Pictographic}]/u;

/** What a judge sees of a text. Joiners are looked at when all else that is invisible is gone, and lends them no neighbour. */
export function withoutInvisible(text: string): string {
  const seen = text.toWellFormed().replace(INVISIBLE, '');
  return seen.replace(JOINERS, (joiner, index: number) => (isSpelling(seen, index) ? joiner : ''));
}

function isSpelling(text: string, index: number): boolean {
  const before = Array.from(text.slice(Math.max(0, index - 2), index)).at(-1);
  const [after] = text.slice(index + 1, index + 3);
  return [before, after].some((neighbour) => WRITTEN_WITH_JOINERS.test(neighbour ?? ''));
}
