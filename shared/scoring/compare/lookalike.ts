import { normalized } from '../kit/reading/normalize.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { quote } from '../kit/text.ts';
import { isIn } from './search.ts';

const NOT_ASCII = /\P{ASCII}/u;
/** Longer outputs take longer to normalize than a reason is worth. */
const LENGTH_MAX = 20_000;
/** As many as a reason names. */
const VALUES_MAX = 3;

const NAMES_MAX = 100;
/** What is not seen makes a name longer, but a much longer one takes longer to normalize than a reason is worth. */
const LENGTHENED = 10;

/** A name that is to the eye the one which is missing. Looks through few names only. */
export function lookalikeName(name: string, names: readonly string[]): string | undefined {
  if (names.length > NAMES_MAX) return undefined;
  const seen = normalized(name, 'bare');
  const lengthMax = name.length * LENGTHENED + LENGTHENED;
  return names.find((other) => other.length <= lengthMax && normalized(other, 'bare') === seen);
}

/** For a reason: that a value, which was not found, is in the output to the eye. */
export function lookalike(subject: Subject, matches: readonly { value: string; found: boolean }[]): string {
  const { text } = subject;
  if (text.length > LENGTH_MAX) return '';
  const isUnusual = NOT_ASCII.test(text);
  const missing = matches.filter(({ found }) => !found).slice(0, VALUES_MAX);
  const seen = missing.find(
    ({ value }) =>
      (isUnusual || NOT_ASCII.test(value)) &&
      isIn(subject.normalized('line').text, normalized(value, 'line')),
  );
  if (seen === undefined) return '';
  return `; the output has ${quote(seen.value)} in characters that look alike: \`normalize\` takes them for the same`;
}
