import { expect, test } from '@jest/globals';
import { caseResult } from '../../../../shared/scoring/engine/score.ts';
import { caseOf } from '../cases.ts';

const outcome = { score: 1, reason: '', output: {}, errored: false };

test.each([
  [{ precision_threshold: 0.5 }, false],
  [{ recall_threshold: 0.5 }, false],
  [{}, true],
])(
  'an outcome without precision and recall does not reach a threshold of either: %j',
  (thresholds, passed) => {
    const evalCase = caseOf('llm_judge', {}, { dual_sided: true, ...thresholds });
    expect(caseResult(evalCase, outcome, 0).passed).toBe(passed);
  },
);
