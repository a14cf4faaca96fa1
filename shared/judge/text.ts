import { withoutInvisible } from '../scoring/kit/invisible.ts';
import { clip } from '../scoring/kit/text.ts';

const REASON_LENGTH_MAX = 2_000;

/** Holds a character that no delimiter has, so that the text around it can't form another delimiter. */
const IN_PLACE_OF_DELIMITER = '[removed]';

/** The copy of a text for a judge, without invisible characters and without the delimiter of its section. */
export function asData(text: string, delimiter: string): string {
  const pattern = new RegExp(delimiter.replaceAll('-', '\\-'), 'gi');
  return withoutInvisible(text).replace(pattern, IN_PLACE_OF_DELIMITER);
}

export function asReason(text: string): string {
  return clip(withoutInvisible(text).trim(), REASON_LENGTH_MAX);
}
