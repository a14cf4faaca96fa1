import { judgeOf } from '../../imports/judges.ts';
import { isRecord, textOf } from '../read/values.ts';
import { type Assertion, type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const THRESHOLD_DEFAULT = 0.5;

interface Asked {
  readonly rubric: string;
  readonly threshold: number;
  readonly differences: readonly string[];
}

function judged(assertion: Assertion, { rubric, threshold, differences }: Asked): Mapped {
  const judge = judgeOf(assertion);
  if ('why' in judge) return judge;
  const { provider, model } = judge.judge;
  const ownPrompt = assertion.rubricPrompt ? ['its rubricPrompt is not taken over'] : [];
  return {
    scorer: {
      type: 'llm_judge',
      config: { _provider: provider, ...(model === undefined ? {} : { model }), rubric },
    },
    threshold,
    differences: [...differences, ...judge.differences, ...ownPrompt],
  };
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

export const llmRubric: Mapping = (assertion) => {
  if (assertion.isNegated) return NOT_NEGATED;
  const rubric = textOf(assertion.value);
  if (rubric === undefined) return { why: 'has no rubric that is a text' };
  const threshold = Math.max(numberOr(assertion.threshold, 0), THRESHOLD_DEFAULT);
  const difference = `there the judge decides whether it passes, here its score is compared with the threshold, of 0.5 at least`;
  return judged(assertion, { rubric, threshold, differences: [difference] });
};

const GEVAL_DEFAULT = 0.7;
const OTHER_PROMPT = 'the judge gets another prompt';

export const gEval: Mapping = (assertion) => {
  if (assertion.isNegated) return NOT_NEGATED;
  const { value } = assertion;
  const criteria = Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  if (criteria.length === 0 || criteria.includes(undefined)) return { why: 'has no criteria that are texts' };
  const together = criteria.length === 1 ? [] : ['its criteria are judged together, there one by one'];
  return judged(assertion, {
    rubric: criteria.join('\n'),
    threshold: numberOr(assertion.threshold, 0) || GEVAL_DEFAULT,
    differences: [OTHER_PROMPT, ...together],
  });
};

export const factuality: Mapping = (assertion) => {
  if (assertion.isNegated) return NOT_NEGATED;
  const statement = textOf(assertion.value);
  if (statement === undefined) return { why: 'has no statement that is a text' };
  const options = isRecord(assertion.factuality) ? ['its weights of categories are not taken over'] : [];
  return judged(assertion, {
    rubric: `The answer agrees with this statement in every fact:\n${statement}`,
    threshold: THRESHOLD_DEFAULT,
    differences: [OTHER_PROMPT, ...options],
  });
};
