import { expect, test } from '@jest/globals';
import { judgeUsageText } from '../../../../clients/gate/report/judgeUsage.ts';
import { textReport } from '../../../../clients/gate/report/text.ts';
import { aReport } from './reports.ts';

test.each([
  [
    { calls: 63, remembered: 12, input_tokens: 41_200, output_tokens: 6_400 },
    '63 judge calls, 41 k + 6 k tokens, 12 remembered',
  ],
  [{ calls: 1, remembered: 0, input_tokens: 120, output_tokens: 30 }, '1 judge call, 120 + 30 tokens'],
  [null, undefined],
])('the calls of judges in a run are one line: %j', (judge_usage, line) => {
  expect(judgeUsageText({ judge_usage })).toBe(line);
});

test('a run with judges has the line in its text', () => {
  const judge_usage = { calls: 2, remembered: 0, input_tokens: 240, output_tokens: 60 };
  expect(textReport(aReport({ judge_usage }))).toContain('\n  2 judge calls, 240 + 60 tokens\n');
});
