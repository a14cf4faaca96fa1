import { describe, expect, test } from '@jest/globals';
import { scoreSuite } from '../../../../../shared/scoring/engine/score.ts';
import type { CaseResult } from '../../../../../shared/scoring/kit/types.ts';
import { caseOf, now, preparedSuite } from '../../cases.ts';
import { outcomeOf, traceOf } from '../scoring.ts';

/** As the service scores: under the deadlines of a run. The least of six: a busy machine adds time of its own. */
function judged(config: object, sent: readonly object[]): CaseResult {
  for (let tries = 1; ; tries++) {
    const suite = preparedSuite([caseOf('trajectory', config)]);
    const output = { output: '', trace: traceOf(sent) };
    const result = scoreSuite(suite, { outputsOf: () => [output], now })[0]?.[0] as CaseResult;
    if (!result.errored || tries === 6) return result;
  }
}

const call = (tool: string, more: object = {}) => ({ type: 'call', tool, ...more });
const list = Array.from({ length: 10 }, (_, at) => at);
const many = Array.from({ length: 1_000 }, (_, at) =>
  call('t', { arguments: { k: at % 7, v: list.map((one) => one + at) }, result: { k: at % 5 } }),
);
const rules = (of: (at: number) => object) =>
  Array.from({ length: 40 }, (_, at) => ({ name: `R${at}`, when: { tool: '*' }, ...of(at) }));

describe('rules at their limits end in a verdict:', () => {
  test.each<[string, object[]]>([
    ['lists of values before', rules(() => ({ before: { tool: '*', same: ['$.v[*]'] } }))],
    [
      'lists of values never after',
      rules(() => ({ never_after: { tool: '*', same: ['$.v[*]'], same_step: true } })),
    ],
    ['own calls', rules(() => ({ before: { tool: '*', same: ['$.k'], own: true } }))],
    [
      'values of results',
      rules(() => ({ before: { tool: '*', same: [{ path: '$.k', in_result: '$.k' }] } })),
    ],
    ['groups of lists', rules(() => ({ at_most: 1, per: ['$.v[*]'] }))],
    ['sums', rules(() => ({ at_most: 1, sum: '$.v[*]' }))],
    ['names of 60 stars', rules((at) => ({ when: { tool: `${'t*'.repeat(60)}${at}` }, at_most: 1 }))],
    [
      '80 conditions',
      rules((at) => ({
        when: { tool: '*', assertions: [{ path: '$.k', op: 'gte', value: at }] },
        before: { tool: '*', assertions: [{ path: '$.k', op: 'lte', value: at }] },
      })),
    ],
  ])('%s', (_, some) => {
    expect(judged({ allow_extra: true, rules: some }, many)).toMatchObject({ errored: false });
  });

  test('or, of paths that multiply values, in an error that passes nothing', () => {
    const deep = rules((at) => ({ before: { tool: '*', same: [`$..v[?@ > ${at}]`] } }));
    const { passed, errored, scorer_output } = judged({ allow_extra: true, rules: deep }, many);
    expect(passed).toBe(false);
    if (errored) expect(scorer_output.error).toBe('TRAJECTORY_TIMEOUT');
  });
});

test('a call has 100 values at most: of more, none serves and each is excluded', () => {
  const wide = (count: number) => ({ arguments: { v: Array.from({ length: count }, (_, at) => at) } });
  const isKept = (rule: object, calls: object[]) =>
    outcomeOf({ allow_extra: true, rules: [{ name: 'R', when: { tool: 'a' }, ...rule }] }, traceOf(calls))
      .neverPasses === undefined;
  const one = call('a', { arguments: { v: [5] } });
  const before = { before: { tool: 'b', same: ['$.v[*]'] } };
  expect(isKept(before, [call('b', wide(100)), one])).toBe(true);
  expect(isKept(before, [call('b', wide(101)), one])).toBe(false);
  const after = { never_after: { tool: 'b', same: ['$.v[*]'] } };
  const other = call('a', { arguments: { v: [500] } });
  expect(isKept(after, [other, call('b', wide(100))])).toBe(true);
  expect(isKept(after, [other, call('b', wide(101))])).toBe(false);
});

const HOSTILE: readonly unknown[] = [
  '\u0000\u001b[31m',
  '{"__proto__": {"order": 1}}',
  '{"order": 1, "order": 2}',
  '{"order": 9007199254740993}',
  '[[[[[[[[',
  '['.repeat(70) + ']'.repeat(70),
  '1e999',
  { constructor: 1, toString: 2 },
  null,
  'x'.repeat(100_000),
];

test.each(HOSTILE.map((result, at) => [at, result] as const))(
  'a hostile result never throws, serves nothing, and is in no reason: %i',
  (_, result) => {
    const marked = typeof result === 'string' ? `${result}` : result;
    const calls = [
      call('a', { result: marked, arguments: { order: 1 } }),
      call('b', { arguments: { order: 1 } }),
    ];
    for (const before of [
      { tool: 'a', same: [{ path: '$.order', in_result: '$.order' }] },
      { tool: 'a', result: [{ path: '$.order', op: 'equals', value: 1 }] },
    ]) {
      const outcome = outcomeOf(
        { allow_extra: true, rules: [{ name: 'R', when: { tool: 'b' }, before }] },
        traceOf(calls),
      );
      expect([outcome.errored, outcome.neverPasses]).toEqual([false, 'by_deed']);
      expect(outcome.reason).toMatch(
        /^R: b \(call 2(, order 1)?\) has no a before it; a \(call 1\) (has another result|has no result here|has no order to compare)$/,
      );
    }
  },
);

test('names of tools, of rules and of members are quoted in a reason', () => {
  const tool = '\u202eeteled\u001b[31m';
  const rules = [{ name: '\u0007R\u202e', when: { tool: '*' }, at_most: 0, per: ['$.k'] }];
  const { reason } = outcomeOf(
    { allow_extra: true, rules },
    traceOf([call(tool, { arguments: { k: '\u001b\u202e' } })]),
  );
  expect(reason).not.toMatch(/[\u0000-\u0008\u001b\u202e]/);
  expect(reason.length).toBeLessThanOrEqual(500);
});
