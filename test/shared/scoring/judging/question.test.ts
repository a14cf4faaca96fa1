import { expect, test } from '@jest/globals';
import { PROMPT_VERSION } from '../../../../shared/judge/prompts/version.ts';
import { type AskedQuestion, questionDigest } from '../../../../shared/scoring/judging/question.ts';

const QUESTION: AskedQuestion = {
  prompt_version: PROMPT_VERSION,
  provider: 'openai',
  model: 'gpt-5.4-mini',
  dual_sided: false,
  votes: 1,
  rubric: 'The answer is polite.',
  scale: undefined,
  run_input: {},
  case_input: { question: 'Where is my parcel?' },
  expected: null,
  output: 'Sorry! It comes on Monday.',
};
const AT = { threshold: 0.7, precision_threshold: null, recall_threshold: null };

test('a question has the digest of its canonical JSON', () => {
  expect(questionDigest(QUESTION, AT)).toBe(
    '1f4129881da2602fead4ab7f882f9cec46c702c42d3a59b565603060e9a1b9c1',
  );
});

test('each part of a question changes its digest, the thresholds only where votes depend on them', () => {
  const others: Partial<AskedQuestion>[] = [
    { prompt_version: 'other' },
    { provider: 'google' },
    { model: 'gpt-5.4' },
    { dual_sided: true },
    { votes: 3 },
    { rubric: 'The answer is polite' },
    { scale: [0, 1] },
    { run_input: { lang: 'en' } },
    { case_input: {} },
    { expected: 'Monday' },
    { output: 'Sorry! It comes on Monday' },
  ];
  const digests = others.map((other) => questionDigest({ ...QUESTION, ...other }, AT));
  const lower = { ...AT, threshold: 0.5 };
  const own = questionDigest(QUESTION, AT);
  expect(new Set([own, ...digests]).size).toBe(others.length + 1);
  expect(questionDigest(QUESTION, lower)).toBe(own);
  const voted = { ...QUESTION, votes: 3 };
  expect(questionDigest(voted, lower)).not.toBe(questionDigest(voted, AT));
});

test('half a surrogate pair has no digest', () => {
  expect(questionDigest({ ...QUESTION, output: 'Sorry \ud83d' }, AT)).toBeUndefined();
});
