import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { outputDigest } from '../../../../../shared/scoring/digest/outputs.ts';
import { configEffect } from '../../../../../shared/scoring/effects.ts';
import { ruleIssues } from '../../../../../shared/scoring/trajectory/checkRules.ts';
import type { Config, Rule } from '../../../../../shared/scoring/trajectory/config.ts';
import { sized } from '../../../../support/soak.ts';
import { outcomeOf, traceOf } from '../scoring.ts';
import { type DrawnCall, drawnCalls, drawnChange, drawnRule } from './draws.ts';
import { keeps } from './model.ts';

const judged = (rules: readonly object[], calls: readonly object[]) =>
  outcomeOf({ allow_extra: true, rules }, traceOf(calls));

/** Without the numbers of calls. */
const wordsOf = ({ reason }: ReturnType<typeof judged>): string =>
  reason.replaceAll(/calls? [\d, ]+(?: and \d+ more)?|, of \d+$/g, 'call');

const shuffled = <T>(items: readonly T[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

const stepsOf = (calls: readonly DrawnCall[]): DrawnCall[][] =>
  Object.values(Object.groupBy(calls, ({ step }) => step)).map((step) => step ?? []);

/** Without calls within others, which name a call before them. */
const flatCalls = drawnCalls.map((calls) => calls.map(({ parent: _, ...call }) => call as DrawnCall));
const rules = fc.array(drawnRule, { minLength: 1, maxLength: 3 });

test('a rule is kept by the traces that keep it as it is defined', () => {
  const counts = { kept: 0, broken: 0 };
  fc.assert(
    fc.property(drawnRule, drawnCalls, (rule, calls) => {
      const isKept = keeps(traceOf(calls), rule);
      counts[isKept ? 'kept' : 'broken'] += 1;
      expect(judged([rule], calls).neverPasses).toBe(isKept ? undefined : rule.after ? 'by_lack' : 'by_deed');
    }),
    { numRuns: sized(2_000, 100_000) },
  );
  expect(Math.min(counts.kept, counts.broken)).toBeGreaterThan(100);
});

describe('the outcome does not depend', () => {
  test('on the order of calls that were made at once, or on ids', () => {
    const drawn = flatCalls.chain((calls) =>
      fc.record({
        calls: fc.constant(calls),
        other: fc
          .tuple(...stepsOf(calls).map(shuffled))
          .map((steps) => steps.flat().map((call, index) => ({ ...call, id: `other${index}` }))),
      }),
    );
    fc.assert(
      fc.property(rules, drawn, (drawnRules, { calls, other }) => {
        const [one, two] = [judged(drawnRules, calls), judged(drawnRules, other)];
        expect([wordsOf(two), two.neverPasses]).toEqual([wordsOf(one), one.neverPasses]);
        const [digest, otherDigest] = [calls, other].map((sent) =>
          outputDigest({ output: '' }, {}, { trace: traceOf(sent) }),
        );
        expect(otherDigest).toBe(digest);
      }),
      { numRuns: sized(500, 100_000) },
    );
  });

  test('on the format in which calls and results are sent', () => {
    const textOf = ({ result = null }: DrawnCall): string => JSON.stringify(result);
    const argumentsOf = (call: DrawnCall) => call.arguments ?? {};
    const done = { role: 'assistant', content: 'Done.' };
    fc.assert(
      fc.property(rules, flatCalls, (drawnRules, calls) => {
        const steps = stepsOf(calls);
        const own = calls.map(({ error: _, ...call }) => ({
          ...call,
          arguments: argumentsOf(call as DrawnCall),
          result: textOf(call as DrawnCall),
        }));
        const chat = steps.flatMap((step) => [
          {
            role: 'assistant',
            tool_calls: step.map((call) => ({
              id: call.id,
              type: 'function',
              function: { name: call.tool, arguments: JSON.stringify(argumentsOf(call)) },
            })),
          },
          ...step.map((call) => ({ role: 'tool', tool_call_id: call.id, content: textOf(call) })),
        ]);
        const responses = steps.flatMap((step) => [
          ...step.map((call) => ({
            type: 'function_call',
            call_id: call.id,
            name: call.tool,
            arguments: JSON.stringify(argumentsOf(call)),
          })),
          ...step.map((call) => ({ type: 'function_call_output', call_id: call.id, output: textOf(call) })),
        ]);
        const anthropic = steps.flatMap((step) => [
          {
            role: 'assistant',
            content: step.map((call) => ({
              type: 'tool_use',
              id: call.id,
              name: call.tool,
              input: argumentsOf(call),
            })),
          },
          {
            role: 'user',
            content: step.map((call) => ({
              type: 'tool_result',
              tool_use_id: call.id,
              content: textOf(call),
            })),
          },
        ]);
        const outcomeIn = (trace: ReturnType<typeof traceOf>) => {
          const { reason, neverPasses } = outcomeOf({ allow_extra: true, rules: drawnRules }, trace);
          return { reason, neverPasses, digest: outputDigest({ output: '' }, {}, { trace }) };
        };
        for (const list of [chat, responses, anthropic])
          expect(outcomeIn(traceOf([...list, done], 'messages'))).toEqual(outcomeIn(traceOf(own)));
      }),
      { numRuns: sized(300, 100_000) },
    );
  });

  test('on calls of tools that no pattern names', () => {
    const drawn = fc.tuple(flatCalls, fc.array(fc.nat({ max: 7 }), { maxLength: 3 }));
    fc.assert(
      fc.property(rules, drawn, (drawnRules, [calls, places]) => {
        fc.pre(!JSON.stringify(drawnRules).includes('"*"'));
        const spread = calls.map((call) => ({ ...call, step: call.step * 2 }));
        const more = places.map((step) => ({ type: 'call', tool: 'other', id: 'o', step: step * 2 + 1 }));
        const all = [...spread, ...more.map((call, at) => ({ ...call, id: `o${at}` }))].sort(
          (one, other) => one.step - other.step,
        );
        const [one, two] = [judged(drawnRules, calls), judged(drawnRules, all)];
        expect([wordsOf(two), two.neverPasses]).toEqual([wordsOf(one), one.neverPasses]);
      }),
      { numRuns: sized(500, 100_000) },
    );
  });
});

test('results of any text never throw, and are in no reason', () => {
  const canary = 'canary7f3a';
  const text = fc.oneof(
    fc.json().map((json) => json.replaceAll('"', `"${canary}`)),
    fc.string({ unit: 'binary' }).map((noise) => `${noise}${canary}`),
    fc.constantFrom(`{"k": "${canary}"}`, `[["${canary}"]]`, `"${canary}`),
  );
  fc.assert(
    fc.property(rules, flatCalls, fc.array(text, { minLength: 1 }), (drawnRules, calls, texts) => {
      const sent = calls.map((call, at) => ({ ...call, result: texts[at % texts.length]?.toWellFormed() }));
      const { reason, output, errored } = judged(drawnRules, sent);
      expect(errored).toBe(false);
      expect(`${reason}${JSON.stringify(output)}`).not.toContain(canary);
    }),
    { numRuns: sized(500, 100_000) },
  );
});

test('a deed that breaks a rule in a trace that was cut breaks it in the complete one', () => {
  fc.assert(
    fc.property(drawnRule, flatCalls, fc.nat({ max: 6 }), (rule, calls, last) => {
      const cut = calls.filter(({ step }) => step <= last);
      if (judged([rule], cut).neverPasses === 'by_deed')
        expect(judged([rule], calls).neverPasses).toBe('by_deed');
    }),
    { numRuns: sized(1_000, 100_000) },
  );
});

test('a rule more lets no trace pass', () => {
  fc.assert(
    fc.property(rules, drawnRule, drawnCalls, (some, rule, calls) => {
      const passes = (list: readonly object[]) => judged(list, calls).neverPasses === undefined;
      expect(passes([...some, rule]) && !passes(some)).toBe(false);
    }),
    { numRuns: sized(500, 100_000) },
  );
});

const effectOf = (before: readonly Rule[], after: readonly Rule[]) => {
  const [one, other] = [before, after].map((list) => ({
    type: 'trajectory',
    config: { allow_extra: true, calls: [], ...(list.length > 0 && { rules: list }) },
    dual_sided: false,
  }));
  return configEffect(one as NonNullable<typeof one>, other as NonNullable<typeof other>);
};

test('no trace passes that failed before where the plan states that rules are the same or stricter', () => {
  const counts = { proven: 0 };
  fc.assert(
    fc.property(drawnRule, drawnChange, fc.boolean(), drawnCalls, (rule, change, isTurned, calls) => {
      const changed = change(rule);
      const [before, after] = isTurned ? [changed, rule] : [rule, changed];
      if (ruleIssues({ rules: [changed] } as Config).length > 0) return;
      if (!['same', 'stricter'].includes(effectOf([before], [after]))) return;
      counts.proven += 1;
      const passes = (one: Rule) => judged([one], calls).neverPasses === undefined;
      expect(passes(after) && !passes(before)).toBe(false);
    }),
    { numRuns: sized(3_000, 100_000) },
  );
  expect(counts.proven).toBeGreaterThan(500);
});

describe('a change of rules', () => {
  const base: Rule = {
    name: 'R',
    when: { tool: 'a', assertions: [{ path: '$.k', op: 'gte', value: 1 }] },
    before: { tool: ['b', 'c'], same: ['$.k'], same_step: true },
  };
  const before = base.before as object;
  const bound: Rule = { name: 'R', when: { tool: 'a' }, at_most: 2 };
  const never: Rule = { name: 'R', when: { tool: 'a' }, never_after: { tool: 'b' } };
  const opposite = { stricter: 'weaker', same: 'same', 'may be weaker': 'may be weaker' } as const;
  test.each<[keyof typeof opposite, string, readonly Rule[], readonly Rule[]]>([
    ['stricter', 'a first rule', [], [base]],
    ['stricter', 'a rule more', [base], [base, { ...bound, name: 'S' }]],
    ['stricter', 'a lower bound', [bound], [{ ...bound, at_most: 1 }]],
    [
      'stricter',
      '`own`',
      [{ ...base, before: { tool: 'b' } }],
      [{ ...base, before: { tool: 'b', own: true } }],
    ],
    [
      'stricter',
      'no `same_step`',
      [base],
      [{ ...base, before: { ...base.before, same_step: false } as Rule['before'] }],
    ],
    ['stricter', 'a tool more in `when`', [bound], [{ ...bound, when: { tool: ['a', 'b'] } }]],
    ['stricter', 'a pattern more in `when`', [bound], [{ ...bound, when: [{ tool: 'a' }, { tool: 'b' }] }]],
    ['stricter', 'an assertion less in `when`', [base], [{ ...base, when: { tool: 'a' } }]],
    [
      'stricter',
      'a pattern more in `never_after`',
      [never],
      [{ ...never, never_after: [{ tool: 'b' }, { tool: 'c' }] }],
    ],
    [
      'stricter',
      'a tool less in `before`',
      [base],
      [{ ...base, before: { ...before, tool: 'b' } as Rule['before'] }],
    ],
    [
      'stricter',
      'a path more in `same`',
      [base],
      [{ ...base, before: { ...before, same: ['$.k', '$.m'] } as Rule['before'] }],
    ],
    [
      'stricter',
      'an assertion of a result more in `before`',
      [{ ...base, before: { tool: 'b' } }],
      [{ ...base, before: { tool: 'b', result: [{ path: '$', op: 'exists' }] } }],
    ],
    ['same', 'another name', [base], [{ ...base, name: 'S' }]],
    [
      'same',
      'another order of tools',
      [base],
      [{ ...base, before: { ...before, tool: ['c', 'b'] } as Rule['before'] }],
    ],
    ['same', 'another order of rules', [base, { ...bound, name: 'S' }], [{ ...bound, name: 'S' }, base]],
    ['may be weaker', 'another form', [bound], [never]],
    [
      'may be weaker',
      'other arguments',
      [base],
      [{ ...base, when: { ...base.when, arguments: { k: 1 } } as Rule['when'] }],
    ],
    ['may be weaker', 'a rule for another one', [base], [{ ...bound, name: 'S' }]],
    [
      'may be weaker',
      'no `same_step` and another tool in `before`',
      [base],
      [{ ...base, before: { ...before, tool: '*', same_step: false } as Rule['before'] }],
    ],
    [
      'may be weaker',
      'a tool more and an assertion more in `before`',
      [{ ...base, before: { tool: 'b' } }],
      [{ ...base, before: { tool: ['b', 'c'], assertions: [{ path: '$.k', op: 'exists' }] } }],
    ],
  ])('is %s: %s', (effect, _, was, is) => {
    expect(effectOf(was, is)).toBe(effect);
    expect(effectOf(is, was)).toBe(opposite[effect]);
  });
});
