import { editDistance, paired } from '../../compare/alignment.ts';
import { KEYWORDS } from '../interpreter/interpreter.ts';

/** Keywords that check nothing, or not by themselves. */
const SILENT = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$defs',
  'definitions',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'then',
  'else',
  'minContains',
  'maxContains',
  'additionalItems',
];
/** Those of them that let a value pass if they are misspelt. */
const RELEVANT = ['then', 'else', 'minContains', 'maxContains', 'additionalItems'];

const KNOWN: ReadonlySet<string> = new Set([...KEYWORDS.keys(), ...SILENT]);

/** Whether some draft has the keyword, or it is marked as one of somebody's own. */
export const isKnownWord = (word: string): boolean => KNOWN.has(word) || /^x-/i.test(word);

export const isChecking = (word: string): boolean => KEYWORDS.has(word);

/** Ordinary words lie one letter from these: cost, note, id, when. */
const EXACT_ONLY = new Set(['const', 'not', 'if', 'then', 'else', 'ref']);
const LONG = 12;
const WORD_LENGTH_MAX = 40;

/** Names that mean a keyword elsewhere, or did so in draft 03. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['min', '`minimum`, `minLength` or `minItems`'],
  ['max', '`maximum`, `maxLength` or `maxItems`'],
  ['regex', '`pattern`'],
  ['regexp', '`pattern`'],
  ['divisibleby', '`multipleOf`'],
  ['disallow', '`not`'],
  ...['ge', 'gte'].map((name) => [name, '`minimum`'] as const),
  ...['le', 'lte'].map((name) => [name, '`maximum`'] as const),
  ['gt', '`exclusiveMinimum`'],
  ['lt', '`exclusiveMaximum`'],
  ...['mandatory', 'requiredfield', 'requiredproperty'].map((name) => [name, '`required`'] as const),
  ['optionalproperty', '`properties`, which may be missing unless `required` names them'],
  ...['enumeration', 'allowedvalue'].map((name) => [name, '`enum`'] as const),
  ['bsontype', '`type`'],
]);

const keywordByStem: ReadonlyMap<string, string> = new Map(
  [...KEYWORDS.keys(), ...RELEVANT].map((keyword) => [stemOf(keyword), keyword]),
);

/** The keyword that an unknown word is a misspelling of, to be shown; null if it is probably a word of somebody's own. */
export function suggestedKeyword(word: string): string | null {
  if (word.length > WORD_LENGTH_MAX) return null;
  const stem = stemOf(word);
  const alike = keywordByStem.get(stem);
  if (alike !== undefined) return `\`${alike}\``;
  const other = OTHER_NAMES.get(stem);
  if (other !== undefined) return other;
  for (const [known, keyword] of keywordByStem)
    if (!EXACT_ONLY.has(known) && isNear(stem, known)) return `\`${keyword}\``;
  return null;
}

/** Without case, signs between words, the plural, and what people shorten, or do not shorten as keywords do. */
function stemOf(word: string): string {
  const letters = word.replace(/[^a-z]/gi, '').toLowerCase();
  const singular = letters.endsWith('ies') ? `${letters.slice(0, -3)}y` : letters.replace(/s$/, '');
  return singular
    .replace(/prop$/, 'property')
    .replace(/len$/, 'length')
    .replace(/^(min|max)imum(?=.)/, '$1')
    .replace(/^exclusive(?:min|max)$/, '$&imum');
}

/** One letter is missing, too many, another one or exchanged with its neighbour; of a long word, two. */
function isNear(word: string, known: string): boolean {
  if (Math.abs(word.length - known.length) > 2) return false;
  if (known.length >= LONG && editDistance(paired([...word], [...known])) <= 2) return true;
  let start = 0;
  while (start < word.length && word[start] === known[start]) start++;
  let end = 0;
  while (end < Math.min(word.length, known.length) - start && word.at(-1 - end) === known.at(-1 - end)) end++;
  const [ours, theirs] = [word.slice(start, word.length - end), known.slice(start, known.length - end)];
  if (ours.length <= 1 && theirs.length <= 1) return true;
  return ours.length === 2 && theirs.length === 2 && ours[0] === theirs[1] && ours[1] === theirs[0];
}
