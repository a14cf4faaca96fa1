import { expect, test } from '@jest/globals';
import { API_TIMEOUT_SECONDS, FUNCTION_MEMORY_MB } from '../../../infra/functionSizes.ts';
import { RUN_TIME_MS_MAX } from '../../../shared/scoring/execution/budget.ts';

/** Lambda gives one whole processor with this memory. */
const PROCESSOR_MB = 1_769;

test("the longest scoring ends a quarter of a function's time before the function does", () => {
  const longestSeconds = (RUN_TIME_MS_MAX / 1_000) * (PROCESSOR_MB / FUNCTION_MEMORY_MB.api);
  expect(longestSeconds).toBeLessThan(API_TIMEOUT_SECONDS * 0.75);
});
