import { expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../../shared/scoring/registry.ts';

const when = { tool: 'refund' };
const ok = { name: 'R', when, before: { tool: 'lookup' } };
const wanting = (before: object) => [{ ...ok, before }];
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ path: `$.a${at}`, op: 'exists' }));

const issueOf = async (rules: unknown, more: object = {}): Promise<string> => {
  const result = await validateScorerConfig('trajectory', { allow_extra: true, rules, ...more });
  return result.ok ? 'none' : `${result.issues[0]?.path} ${result.issues[0]?.message}`;
};

test.each<[string, unknown]>([
  ['none', [ok]],
  ['none', wanting({ tool: ['lookup', 'find_*'], same: [{ path: '$.order', in_result: '$.orders[*].id' }] })],
  [
    'none',
    [
      {
        name: 'R',
        when: [when, { tool: '*', except: 'think' }],
        at_most: 0.5,
        sum: '$.amount',
        per: ['$.order'],
      },
    ],
  ],
  ['none', [{ ...ok, before: undefined, after: { tool: 'notify', own: true, same: ['$.orders[0].id'] } }]],
  ['config.rules Too small', []],
  ['config.rules Too big', Array.from({ length: 41 }, (_, at) => ({ ...ok, name: `R${at}` }))],
  ['config.rules.0.wen is not known here', [{ ...ok, wen: 1 }]],
  ['config.rules.0.when.own is not known here', [{ ...ok, when: { ...when, own: true } }]],
  ['config.rules.0.when.same is not known here', [{ ...ok, when: { ...when, same: ['$.a'] } }]],
  ['config.rules.0.when.0.same_step is not known here', [{ ...ok, when: [{ ...when, same_step: true }] }]],
  ['config.rules.0 must have one of', [{ name: 'R', when }]],
  ['config.rules.0 must have one of', [{ ...ok, at_most: 1 }]],
  ['config.rules.1.name is the name of another rule, too: names must differ', [ok, ok]],
  ['config.rules.0.per goes only with', [{ ...ok, per: 'step' }]],
  ['config.rules.0.sum goes only with', [{ ...ok, sum: '$.a' }]],
  ['config.rules.0.sum does not go with', [{ name: 'R', when, at_most: 1, sum: '$.a', per: 'step' }]],
  [
    'config.rules.0.when.arguments_include must not',
    [{ ...ok, when: { ...when, arguments: {}, arguments_include: {} } }],
  ],
  [
    'config.rules.0.before.1.same.0 must have',
    wanting([{ tool: 'a' }, { tool: 'b', same: ['order'] }] as object),
  ],
  [
    'config.rules.0.before.same.0.in_result must have',
    wanting({ tool: 'a', same: [{ path: '$.a', in_result: '$[' }] }),
  ],
  ['config.rules.0.before.same.0 must have one of', wanting({ tool: 'a', same: [{ path: '$.a' }] })],
  [
    'config.rules.0.before.result.0.path must have',
    wanting({ tool: 'a', result: [{ path: 'a', op: 'exists' }] }),
  ],
  ['config.rules.0.per.0 must have', [{ name: 'R', when, at_most: 1, per: ['a'] }]],
  ['config.rules.0.sum must have', [{ name: 'R', when, at_most: 1, sum: 'a' }]],
  [
    'config.rules.0.before.0.own goes only with one pattern',
    wanting([{ tool: 'a', own: true }, { tool: 'b' }] as object),
  ],
  [
    'config.rules.0.before.own does not go with `same_step`',
    wanting({ tool: 'a', own: true, same_step: true }),
  ],
  ['config.rules.0.before.own goes only with paths', wanting({ tool: 'a', own: true, same: ['$.a[*]'] })],
  [
    'config.rules.0.never_after.own is not known',
    [{ name: 'R', when, never_after: { tool: 'a', own: true } }],
  ],
  [
    'config.rules.0.before.same_step does not go with a result',
    wanting({ tool: 'a', same_step: true, result: many(1) }),
  ],
  [
    'config.rules must hold at most 100 patterns',
    Array.from({ length: 13 }, (_, at) => ({
      ...ok,
      name: `R${at}`,
      before: Array.from({ length: 8 }, () => ({ tool: 'a' })),
    })),
  ],
  [
    'config.rules must hold at most 500 assertions',
    Array.from({ length: 26 }, (_, at) => ({
      ...ok,
      name: `R${at}`,
      when: { tool: 'a', assertions: many(20) },
    })),
  ],
])('rules that cannot be used are refused at their place: %s', async (expected, rules) => {
  expect(await issueOf(rules)).toContain(expected);
});

test('a rule is a check: `calls: []` with all extra calls allowed needs nothing beside it', async () => {
  expect(await issueOf([ok], { calls: [] })).toBe('none');
  expect(await issueOf(undefined, { calls: [] })).toContain('config.calls must require a call');
});
