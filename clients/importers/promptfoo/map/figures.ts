import { type Mapping, NOT_NEGATED } from './types.ts';

/** What a run sends with each output. */
export const figure =
  (field: string): Mapping =>
  ({ threshold, isNegated }) => {
    if (isNegated) return NOT_NEGATED;
    if (typeof threshold !== 'number') return { why: 'has no threshold' };
    return {
      scorer: { type: 'metric', config: { field, max: threshold } },
      differences: [`the program that sends the output has to send ${field} in its metadata`],
    };
  };

export const finishReason: Mapping = ({ value, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string' || value === '') return { why: 'has no reason that is a text' };
  return {
    scorer: { type: 'metric', config: { field: 'finish_reason', equals: value } },
    differences: ['the program that sends the output has to send finish_reason in its metadata'],
  };
};

const DISTANCE_DEFAULT = 5;
const SHARE_OF_LONGER =
  'there so many UTF-16 units may differ, here a share of the longer text, which is never more characters than there';

/** An output that is longer than the text by `distance` just meets the share; a shorter one may differ less. */
export const levenshtein: Mapping = ({ value, threshold, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string' || value === '') return { why: 'has no text to compare with' };
  const length = [...value].length;
  const distance = Math.floor(typeof threshold === 'number' ? threshold : DISTANCE_DEFAULT);
  if (distance < 0 || distance >= length)
    return { why: 'allows as many differences as its text has characters' };
  return {
    scorer: { type: 'similarity', config: { metric: 'levenshtein', normalize_whitespace: false } },
    expected: value,
    threshold: length / (length + distance),
    differences: [SHARE_OF_LONGER],
  };
};

const ROUGE_DEFAULT = 0.75;
const OTHER_ROUGE = [
  'there single words are counted (ROUGE-1), here the longest common sequence of them (ROUGE-L)',
  'there words are compared in any case, but in older versions, here in their case',
  'there punctuation marks are words, here they are left out at the edges of words',
  'there a text without blanks is one word, here it has the words of its language',
];

export const rouge: Mapping = ({ value, threshold, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string' || !/[\p{L}\p{N}]/u.test(value))
    return { why: 'has no words to compare with' };
  return {
    scorer: { type: 'similarity', config: { metric: 'rouge_l' } },
    expected: value,
    threshold: typeof threshold === 'number' ? threshold : ROUGE_DEFAULT,
    differences: OTHER_ROUGE,
  };
};
