import { expect, test } from '@jest/globals';
import { fieldParts } from '../../../../clients/gate/report/plan.ts';
import { ruleSentence, type ShownRule } from '../../../../clients/gate/report/rules.ts';
import { written } from '../../../../clients/gate/report/words.ts';

const APPROVED: ShownRule = {
  name: 'Refunds of 100 or more are approved',
  when: { tool: 'refund', assertions: [{ path: '$.amount', op: 'gte', value: 100 }] },
  before: {
    tool: 'request_approval',
    same: ['$.order'],
    own: true,
    result: [{ path: '$.approved', op: 'equals', value: true }],
  },
};
const ONCE: ShownRule = {
  name: 'One refund an order',
  when: { tool: 'refund', failed: false },
  at_most: 1,
  per: ['$.order'],
};

test.each<[string, ShownRule]>([
  [
    'Each refund with $.amount ≥ 100 needs, before it, request_approval of its own with the same $.order, whose result has $.approved = true',
    APPROVED,
  ],
  [
    'Each refund needs, before it, lookup with the same $.order, or search with its $.order as $.orders[*].id of the result',
    {
      name: 'R',
      when: { tool: 'refund' },
      before: [
        { tool: 'lookup', same: ['$.order'] },
        { tool: 'search', same: [{ path: '$.order', in_result: '$.orders[*].id' }] },
      ],
    },
  ],
  [
    'Each refund that did not fail needs, after it, notify (also at once)',
    { name: 'R', when: { tool: 'refund', failed: false }, after: { tool: 'notify', same_step: true } },
  ],
  [
    'After cancel, or at once with it, there is never refund or ship_* with the same $.order',
    { name: 'R', when: { tool: 'cancel' }, never_after: { tool: ['refund', 'ship_*'], same: ['$.order'] } },
  ],
  ['At most 1 call of refund that did not fail with the same $.order', ONCE],
  [
    'At most 500 as the sum of $.amount of refund',
    { name: 'R', when: { tool: 'refund' }, at_most: 500, sum: '$.amount' },
  ],
  [
    'At most 1 call of any tool (but for think) at once',
    { name: 'R', when: { tool: '*', except: 'think' }, at_most: 1, per: 'step' },
  ],
])('a rule is shown as the sentence: %s', (sentence, rule) => {
  expect(ruleSentence(rule)).toBe(sentence);
});

const partsOf = (from: object, to: object): string =>
  fieldParts('config', { from, to }, { hidesValues: false })
    .map((part) => written(part, String))
    .join('; ');

test('a plan shows each rule that comes, goes or changes as a sentence, and the rest of the config', () => {
  const lower = { ...ONCE, at_most: 2 };
  expect(partsOf({ rules: [APPROVED, ONCE] }, { rules: [APPROVED, lower] })).toBe(
    `rule One refund an order: ${ruleSentence(ONCE)} → ${ruleSentence(lower)}`,
  );
  expect(partsOf({ order: 'any_order', rules: [ONCE] }, { order: 'in_order', rules: [APPROVED] })).toBe(
    [
      `no rule One refund an order any more: ${ruleSentence(ONCE)}`,
      `rule Refunds of 100 or more are approved: ${ruleSentence(APPROVED)}`,
      'config {"order":"any_order"} → {"order":"in_order"}',
    ].join('; '),
  );
  expect(partsOf({ order: 'any_order', rules: [ONCE] }, { order: 'in_order', rules: [ONCE] })).not.toContain(
    'rule One refund',
  );
});
