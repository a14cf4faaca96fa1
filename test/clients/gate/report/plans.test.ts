import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  FIELDS_WITH_VALUES,
  fieldParts,
  type Plan,
  planCounts,
} from '../../../../clients/gate/report/plan.ts';
import { planMarkdown } from '../../../../clients/gate/report/planMarkdown.ts';
import { planText } from '../../../../clients/gate/report/planText.ts';
import { written } from '../../../../clients/gate/report/words.ts';
import { FIELDS_WITH_VALUES as ofService } from '../../../../shared/domain/definitions/plan/shortPlans.ts';
import { CONTROLS, hostileText, tokensOf } from './reports.ts';

const OWN_TAGS = /^<\/?(code|wbr)>$/;

const anyValue = fc.oneof(
  hostileText,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(hostileText, { maxLength: 2 }),
);
const anyChange = fc.record({
  kind: fc.constantFrom('suite' as const, 'scorer' as const, 'case' as const),
  key: hostileText,
  action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const, 'keep' as const),
  fields: fc.dictionary(hostileText, fc.record({ from: anyValue, to: anyValue }, { requiredKeys: [] }), {
    maxKeys: 3,
  }),
  effect: fc.constantFrom('stricter' as const, 'same' as const, 'weaker' as const, 'may be weaker' as const),
  by_hand: fc.boolean(),
});
const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    suite: hostileText,
    changes: fc.array(anyChange, { maxLength: 5 }),
    other: hostileText,
    sha: hostileText,
  })
  .map(({ suite, changes, other, sha }) => ({
    suite,
    answer: {
      definition_version: 3,
      definition_digest: '',
      suite_digest: { before: null, after: '' },
      applied: false,
      changes,
      weaker: changes.filter(({ effect }) => effect.endsWith('weaker')),
      affects: [{ suite: other, scorers: [other] }],
      warnings: [{ gate: other, code: 'SLIP_PASSES' as const, case: other, message: other, example: other }],
      last_push: {
        at: '2026-11-22T12:00:00.000Z',
        by: { type: 'api_key', id: '' } as never,
        source: { repository: other, sha },
      },
    },
  }));

test('a plan for a terminal holds no control character of its values, and a line for each change', () => {
  fc.assert(
    fc.property(anyPlan, fc.boolean(), (plan, hidesValues) => {
      const text = planText(plan, { hidesValues });
      expect(text.replaceAll('\n', '')).not.toMatch(CONTROLS);
      expect(text.split('\n')).toHaveLength(plan.answer.changes.length + 5);
    }),
  );
});

/** Characters of a comment. */
const BUDGET = 60_000;

test('a plan in Markdown has no markup but ours, whatever its values', () => {
  fc.assert(
    fc.property(fc.array(anyPlan, { maxLength: 3 }), fc.boolean(), (plans, hidesValues) => {
      const markdown = planMarkdown('Plan', plans, { hidesValues }, BUDGET);
      expect(markdown.replaceAll('\n', '')).not.toMatch(CONTROLS);
      for (const { type, raw } of tokensOf(markdown)) {
        expect(['image', 'link', 'table', 'code', 'del', 'def', 'hr', 'blockquote']).not.toContain(type);
        if (type === 'html') expect(raw.trim()).toMatch(OWN_TAGS);
      }
    }),
  );
});

test('a plan in Markdown stays within its size, and names how much is left out', () => {
  const change = { kind: 'case', action: 'update', fields: {}, effect: 'weaker', by_hand: false } as const;
  const changes = Array.from({ length: 5_000 }, (_, n) => ({ ...change, key: `case-${n}` }));
  const [plan] = fc.sample(anyPlan, 1);
  const long = { suite: 's', answer: { ...plan!.answer, changes, weaker: changes } };
  const markdown = planMarkdown('Plan', [long], { hidesValues: true }, BUDGET);
  expect(markdown.length).toBeLessThanOrEqual(60_000);
  expect(markdown).toMatch(/\nand \d+ more lines\n$/);
  expect(planCounts(long)).toBe('5000 to change. The bar gets or may get weaker in 5000 ways.');
});

test('a plan shows each gate that changes, however many there are', () => {
  const [from, tags] = [
    { regression: { alpha: 0.05, min_drop: 0.02 } },
    [{ tag: 'safety', pass_threshold: 1 }],
  ];
  const to = { ...from, max_newly_failing: 0, min_comparable: 0.95, tags: [...tags, ...tags, ...tags] };
  const shownOf = (field: object, hidesValues = false) =>
    fieldParts('gates', field, { hidesValues }).map((words) => written(words, (text) => text));
  expect(shownOf({ from, to })).toEqual([
    'gates.max_newly_failing 0',
    'gates.min_comparable 0.95',
    'gates.tags',
  ]);
  expect(shownOf({ from: to, to: { ...to, max_newly_failing: 2 } })).toEqual([
    'gates.max_newly_failing 0 → 2',
  ]);
  expect(shownOf({ from: { sha256: '0f' }, to: { sha256: '1f', bytes: 9_000 } })).toHaveLength(1);
  expect(shownOf({ from, to }, true)).toEqual(['gates']);
});

test('without values a plan shows the fields that the service shows to every scope, and nothing that the bar expects', () => {
  expect(FIELDS_WITH_VALUES).toEqual(ofService);
  const fields = {
    expected: { from: 42, to: true },
    config: { from: 1, to: 2 },
    threshold: { from: 0.5, to: 0.4 },
    scorer: { to: 'word' },
  };
  const [plan] = fc.sample(anyPlan, 1);
  const change = {
    kind: 'case',
    key: 'k',
    action: 'update',
    fields,
    effect: 'weaker',
    by_hand: false,
  } as const;
  const one = { suite: 's', answer: { ...plan!.answer, changes: [change], weaker: [], affects: [] } };
  expect(planText(one, { hidesValues: true })).toContain(
    '  ~ case k  expected, config, threshold 0.5 → 0.4, scorer  weaker\n',
  );
  expect(planText(one, { hidesValues: false })).toContain('expected 42 → true');
});

test('what was edited by hand since the last push is marked as such, in text and in Markdown', () => {
  const [plan] = fc.sample(anyPlan, 1);
  const change = { kind: 'case', fields: {}, effect: 'same', by_hand: true } as const;
  const changes = [
    { ...change, key: 'tone', action: 'update', fields: { weight: { from: 3, to: 1 } } } as const,
    { ...change, key: 'left', action: 'keep' } as const,
  ];
  const one = { suite: 's', answer: { ...plan!.answer, changes, weaker: [], affects: [] } };
  expect(planText(one, { hidesValues: true }).split('\n').slice(1, 3)).toEqual([
    '  ! case tone  changed by hand since the last push: weight 3 → 1',
    '  · case left  not in the file, changed by hand since the last push',
  ]);
  expect(planMarkdown('Plan', [one], { hidesValues: true }, BUDGET)).toContain(
    '\n- `!` case <code>tone</code>  changed by hand since the last push: <code>weight</code>',
  );
});

test('cases that get the same other scorer are one line of a plan', () => {
  const [plan] = fc.sample(anyPlan, 1);
  const move = (n: number, more: object = {}) => ({
    ...({ kind: 'case', action: 'update', effect: 'stricter', by_hand: false } as const),
    key: `case-${n}`,
    fields: { scorer: { from: 'a', to: 'b' }, ...more },
  });
  const changes = [
    ...Array.from({ length: 40 }, (_, n) => move(n)),
    move(40, { threshold: { from: 1, to: 2 } }),
  ];
  const one = { suite: 's', answer: { ...plan!.answer, changes, weaker: [], affects: [], warnings: [] } };
  expect(planText(one, { hidesValues: false }).split('\n').slice(1, 3)).toEqual([
    '  ~ 40 cases: scorer a → b',
    '  ~ case case-40  scorer a → b, threshold 1 → 2',
  ]);
});

test('another answer is counted apart from weaker changes', () => {
  const [plan] = fc.sample(anyPlan, 1);
  const change = { kind: 'case', key: 'k', action: 'update', fields: {}, by_hand: false } as const;
  const other = { ...change, effect: 'another answer' } as const;
  const one = { suite: 's', answer: { ...plan!.answer, changes: [other], weaker: [other] } };
  expect(planCounts(one)).toBe('1 to change. Another answer is expected in 1 case.');
});
