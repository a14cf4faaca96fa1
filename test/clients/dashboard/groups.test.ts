import { expect, test } from '@jest/globals';
import { groupsOf, viewOf } from '../../../clients/dashboard/pages/run/view.ts';
import type { RunResult } from '../../../clients/sdk/index.ts';

const resultsOf = (count: number, fields: object) =>
  Array.from({ length: count }, (_, index) => ({
    id: JSON.stringify([fields, index]),
    reason: 'the case has no output',
    passed: false,
    ...fields,
  })) as unknown as RunResult[];

test('cases of the same reason are one line where they have the same state, too', () => {
  const missing = resultsOf(5, { missing: true });
  const advisory = resultsOf(6, { missing: true, advisory: true });
  const groups = groupsOf([...advisory, ...missing], viewOf(new URLSearchParams()), undefined);
  expect(groups.map(({ results }) => results)).toEqual([missing, advisory]);
});
