import { type Mapping, NOT_NEGATED } from './types.ts';

/** What a run sends with each output. */
export const figure =
  (field: string): Mapping =>
  ({ threshold, isNegated }) => {
    if (isNegated) return NOT_NEGATED;
    if (typeof threshold !== 'number') return { why: 'has no threshold' };
    return {
      scorer: { type: 'metric', config: { field, max: threshold } },
      differences: [`whoever sends the output has to send ${field} in its metadata`],
    };
  };

/** There a distance of 0 means 5, too. */
const DISTANCE_DEFAULT = 5;

export const levenshtein: Mapping = ({ value, threshold, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string' || value === '') return { why: 'has no text to compare with' };
  const length = [...value].length;
  const distance = typeof threshold === 'number' && threshold !== 0 ? threshold : DISTANCE_DEFAULT;
  if (distance < 0 || distance >= length)
    return { why: 'allows as many differences as its text has characters' };
  return {
    scorer: { type: 'similarity', config: { metric: 'levenshtein', normalize_whitespace: false } },
    expected: value,
    threshold: 1 - distance / length,
    differences: ['there so many characters may differ, here such a share of the longer text'],
  };
};

const ROUGE_DEFAULT = 0.75;

export const rouge: Mapping = ({ value, threshold, isNegated }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string' || value === '') return { why: 'has no text to compare with' };
  return {
    scorer: { type: 'similarity', config: { metric: 'rouge_l' } },
    expected: value,
    threshold: typeof threshold === 'number' ? threshold : ROUGE_DEFAULT,
    differences: [
      'there single words are counted (ROUGE-1), here the longest common sequence of them (ROUGE-L)',
    ],
  };
};
