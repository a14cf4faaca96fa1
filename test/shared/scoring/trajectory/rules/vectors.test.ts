import { describe, expect, test } from '@jest/globals';
import { outcomeOf, traceOf } from '../scoring.ts';

const TOOLS: Readonly<Record<string, string>> = {
  l: 'lookup',
  r: 'refund',
  a: 'request_approval',
  n: 'notify',
  c: 'cancel',
  s: 'search',
};
const CALL = /^([lrancs])(\[.*?\]|"[^"]*"|\d+|\?)?(?::(.+?))?([-+])?(!)?$/;

/** Such as `a1-·r1:240`: tool, order, amount, whether it was approved; `!` failed, `?` unknown, `·` next step, `∥` at once. */
function callsOf(written: string): object[] {
  if (written === '') return [];
  return written.split('·').flatMap((step, at) =>
    step.split('∥').map((call) => {
      const [, letter = '', order, amount, approved, failed] = CALL.exec(call) ?? [];
      if (letter === '') throw new Error(`no call: ${call}`);
      const members = {
        ...(order !== undefined && { order: order === '?' ? undefined : JSON.parse(order) }),
        ...(amount !== undefined && { amount: JSON.parse(amount) }),
      };
      return {
        type: 'call',
        tool: TOOLS[letter],
        step: at,
        ...(order !== '?' && letter !== 's' && { arguments: members }),
        ...(approved && { result: JSON.stringify({ approved: approved === '+' }) }),
        ...(letter === 's' && { arguments: {}, result: { orders: [{ id: JSON.parse(order ?? '0') }] } }),
        ...(failed && { error: 'timeout' }),
      };
    }),
  );
}

const refund = { tool: 'refund' };
const refunded = { tool: 'refund', failed: false };
const RULES = {
  B: {
    name: 'B',
    when: { ...refund, assertions: [{ path: '$.amount', op: 'gte', value: 100 }] },
    before: {
      tool: 'request_approval',
      same: ['$.order'],
      result: [{ path: '$.approved', op: 'equals', value: true }],
    },
  },
  O: { name: 'O', when: refund, before: { tool: 'request_approval', same: ['$.order'], own: true } },
  L: {
    name: 'L',
    when: refund,
    before: [
      { tool: 'lookup', same: ['$.order'] },
      { tool: 'search', same: [{ path: '$.order', in_result: '$.orders[*].id' }] },
    ],
  },
  M: { name: 'M', when: refund, before: { tool: 'lookup', same: [{ path: '$.order[*]', in: '$.order' }] } },
  F: { name: 'F', when: refunded, after: { tool: 'notify', same: ['$.order'] } },
  G: { name: 'G', when: refunded, after: { tool: 'notify', same: ['$.order'], same_step: true } },
  N: { name: 'N', when: { tool: 'cancel' }, never_after: { tool: ['refund', 'ship_*'], same: ['$.order'] } },
  P: { name: 'P', when: refund, at_most: 1, per: ['$.order'] },
  S: { name: 'S', when: { tool: '*' }, at_most: 1, per: 'step' },
  T: { name: 'T', when: refunded, at_most: 200, sum: '$.amount' },
  X: { name: 'X', when: { tool: '*', except: 'lookup' }, before: { tool: 'lookup' } },
};

const VECTORS: readonly (readonly [
  keyof typeof RULES,
  kept: string,
  broken: Readonly<Record<string, string>>,
])[] = [
  [
    'B',
    'r1:99, a1+·r1:240, a1-·a1+·r1:240, a"1"+·r1:240, r1:"99", r1',
    {
      'r1:240': 'refund (call 1, order 1, amount 240) has no request_approval before it',
      'r1:240·a1+':
        'refund (call 1, order 1, amount 240) has no request_approval before it; request_approval (call 2) comes later',
      'a1+∥r1:240':
        'refund (call 2, order 1, amount 240) has no request_approval before it; request_approval (call 1) was made at once',
      'a1-·r1:240':
        'refund (call 2, order 1, amount 240) has no request_approval before it; request_approval (call 1) has another result',
      'a1·r1:240':
        'refund (call 2, order 1, amount 240) has no request_approval before it; request_approval (call 1) has no result here',
      'a1+!·r1:240':
        'refund (call 2, order 1, amount 240) has no request_approval before it; request_approval (call 1) failed',
      'a2+·r1:240':
        'refund (call 2, order 1, amount 240) has no request_approval before it; request_approval (call 1) has order 2',
      'a1+·r:240': 'refund (call 2, amount 240) has no order to compare',
      'r?': 'refund (call 1) has no order to compare',
      'r1:"240"': 'refund (call 1, order 1, amount 240) has no request_approval before it',
      'r1:"lots"': 'refund (call 1, order 1, amount "lots") has no request_approval before it',
      'r1:240!': 'refund (call 1, order 1, amount 240) has no request_approval before it',
    },
  ],
  [
    'O',
    'a1·a1·r1·r1, a1·r1·a1·r1',
    {
      a1·r1·r1:
        'refund (call 3, order 1) has no request_approval before it; request_approval (call 1) serves call 2',
      a1·r1·r1·a1:
        'refund (call 3, order 1) has no request_approval before it; request_approval (call 1) serves call 2',
    },
  ],
  [
    'L',
    'l1·r1, s1·r1',
    {
      l2·r1: 'refund (call 2, order 1) has no lookup, search before it; lookup (call 1) has order 2',
      s2·r1: 'refund (call 2, order 1) has no lookup, search before it',
    },
  ],
  [
    'M',
    'l1·l2·r[1,2]',
    {
      'l1·r[1,2]': 'refund (call 2, order 2) has no lookup before it; lookup (call 1) has order 1',
      l1·r1: 'refund (call 2) has no order to compare',
    },
  ],
  [
    'F',
    'r1·n1, r1!',
    {
      n1·r1: 'refund (call 2, order 1) has no notify after it; notify (call 1) comes earlier',
      'r1∥n1': 'refund (call 1, order 1) has no notify after it; notify (call 2) was made at once',
      r1·r2·n1: 'refund (call 2, order 2) has no notify after it; notify (call 3) has order 1',
    },
  ],
  ['G', 'r1∥n1', { n1·r1: 'refund (call 2, order 1) has no notify after it; notify (call 1) comes earlier' }],
  [
    'N',
    'c1·r2, r1·c1',
    {
      c1·r1: 'refund (call 2, order 1) after cancel (call 1)',
      'c1∥r1': 'refund (call 2, order 1) at once with cancel (call 1)',
      'c?·r1': 'refund (call 2) after cancel (call 1)',
      'c1!·r1': 'refund (call 2, order 1) after cancel (call 1)',
    },
  ],
  [
    'P',
    'r1·r2',
    {
      r1·r1: 'refund 2 times with order 1 (calls 1, 2), at most 1',
      'r1·r"1"': 'refund 2 times with order 1 (calls 1, 2), at most 1',
      'r1!·r1': 'refund 2 times with order 1 (calls 1, 2), at most 1',
      'r1·r?': 'refund 2 times with order 1 (calls 1, 2), at most 1',
    },
  ],
  ['S', 'l1·r1', { 'l1∥l2': 'lookup 2 times at once (calls 1, 2), at most 1' }],
  [
    'T',
    'r1:100·r2:100, r1:300!',
    {
      'r1:100·r2:101': 'amount 201 (calls 1, 2), at most 200',
      'r1:"150"·r1:60': 'amount 210 (calls 1, 2), at most 200',
      r1: 'refund (call 1) has no amount to add',
    },
  ],
  [
    'X',
    'l1·r1, l1!·l1·r1, ',
    {
      r1·l1: 'refund (call 1) has no lookup before it; lookup (call 2) comes later',
      'l1∥r1': 'refund (call 2) has no lookup before it; lookup (call 1) was made at once',
    },
  ],
];

const judged = (rule: keyof typeof RULES, written: string) =>
  outcomeOf({ allow_extra: true, rules: [RULES[rule]] }, traceOf(callsOf(written)));

const KEPT = VECTORS.flatMap(([rule, kept]) => kept.split(', ').map((written) => [rule, written] as const));
const BROKEN = VECTORS.flatMap(([rule, , broken]) =>
  Object.entries(broken).map(([written, why]) => [rule, written, why] as const),
);

describe('a trace', () => {
  test.each(KEPT)('keeps the rule %s: %s', (rule, written) => {
    const { score, neverPasses, output } = judged(rule, written);
    expect([score, neverPasses]).toEqual([1, undefined]);
    expect(output.rules).toMatchObject([{ name: rule, broken: [] }]);
  });

  test.each(BROKEN)('breaks the rule %s: %s', (rule, written, why) => {
    const { score, neverPasses, reason, output } = judged(rule, written);
    expect(reason).toBe(`${rule}: ${why}`);
    expect([score, neverPasses]).toEqual([0, 'after' in RULES[rule] ? 'by_lack' : 'by_deed']);
    expect((output.rules as { broken: unknown[] }[])[0]?.broken).not.toEqual([]);
  });
});
