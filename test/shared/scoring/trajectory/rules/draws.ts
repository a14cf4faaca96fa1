import fc from 'fast-check';
import type { Rule } from '../../../../../shared/scoring/trajectory/config.ts';

const TOOLS = ['a', 'b', 'c'] as const;
const scalar = fc.constantFrom<unknown>(0, 1, 2, '1', '01', 'x');
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
);
const members = fc.record({ k: value, m: value }, { requiredKeys: [] });
const result = fc.oneof(members, fc.constantFrom<unknown>(0, 1, 'x', undefined));

export interface DrawnCall {
  readonly type: 'call';
  readonly tool: string;
  readonly id: string;
  readonly step: number;
  readonly [field: string]: unknown;
}

/** Up to seven calls, some of them at once, some within others. */
export const drawnCalls: fc.Arbitrary<DrawnCall[]> = fc
  .array(
    fc.record({
      tool: fc.constantFrom(...TOOLS),
      args: fc.option(members, { nil: undefined, freq: 8 }),
      result,
      ahead: fc.nat({ max: 1 }),
      luck: fc.nat({ max: 9 }),
      parent: fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 1 }),
    }),
    { maxLength: 7 },
  )
  .map((drawn) => {
    let step = 0;
    return drawn.map(({ tool, args, result: answer, ahead, luck, parent }, index) => {
      step += ahead;
      const outer = parent === undefined || index === 0 ? undefined : `c${parent % index}`;
      return {
        type: 'call',
        tool,
        id: `c${index}`,
        step,
        ...(args && { arguments: args }),
        ...(answer !== undefined && { result: answer }),
        ...(luck === 0 && { error: 'timeout' }),
        ...(outer && luck > 7 && { parent: outer }),
      };
    });
  });

const tools = fc.oneof(
  fc.constantFrom<string>(...TOOLS, '*'),
  fc.subarray([...TOOLS], { minLength: 1, maxLength: 2 }),
);
const assertion = fc.oneof(
  fc.record({
    path: fc.constantFrom('$.k', '$.m'),
    op: fc.constant('equals' as const),
    value: fc.constantFrom(0, 1),
  }),
  fc.record({
    path: fc.constantFrom('$.k', '$.k[*]'),
    op: fc.constantFrom('gte' as const, 'lte' as const),
    value: fc.constant(1),
  }),
);
const assertions = fc.array(assertion, { minLength: 1, maxLength: 2 });
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 1 });
const pattern = fc.record(
  {
    tool: tools,
    except: sometimes(fc.constantFrom<string>(...TOOLS)),
    assertions: sometimes(assertions),
    result: sometimes(assertions),
    failed: sometimes(fc.boolean()),
  },
  { requiredKeys: ['tool'] },
);
const singular = fc.constantFrom('$.k', '$.m');
const path = fc.oneof({ weight: 3, arbitrary: singular }, { weight: 1, arbitrary: fc.constant('$.k[*]') });
const sameOf = (one: fc.Arbitrary<string>) =>
  fc.array(
    fc.oneof(
      one,
      fc.record({ path: one, in: one }),
      fc.record({ path: one, in_result: fc.oneof(one, fc.constant('$')) }),
    ),
    { minLength: 1, maxLength: 2 },
  );
const plainly = (drawn: object): object => JSON.parse(JSON.stringify(drawn));

const other = fc
  .tuple(pattern, sometimes(sameOf(path)), fc.boolean())
  .map(([base, same, same_step]) => plainly({ ...base, same, same_step }));
const ownOther = fc
  .tuple(pattern, sometimes(sameOf(singular)))
  .map(([base, same]) => plainly({ ...base, same, own: true }));
const some = (one: fc.Arbitrary<object>) => fc.oneof(one, fc.array(one, { minLength: 1, maxLength: 2 }));

const form: fc.Arbitrary<object> = fc.oneof(
  fc.record({ before: some(other) }),
  fc.record({ after: some(other) }),
  fc.record({ never_after: some(other) }),
  fc.record({ before: ownOther }),
  fc.record({ after: ownOther }),
  fc.record({
    at_most: fc.nat({ max: 3 }),
    per: fc.oneof(fc.constantFrom('trace', 'step'), fc.array(path, { minLength: 1, maxLength: 2 })),
  }),
  fc.record({
    at_most: fc.nat({ max: 3 }),
    sum: path,
    per: fc.oneof(fc.constant('trace'), fc.array(path, { minLength: 1, maxLength: 2 })),
  }),
);

/** Rules as a config may have them. */
export const drawnRule: fc.Arbitrary<Rule> = fc
  .tuple(fc.oneof(pattern, fc.array(pattern, { minLength: 1, maxLength: 2 })), form)
  .map(([when, one]) => withoutFaults({ name: 'R', when: JSON.parse(JSON.stringify(when)), ...one } as Rule));

/** A result comes after its step: of `before`, calls made at once have none. */
function withoutFaults(rule: Rule): Rule {
  const before =
    rule.before &&
    [rule.before].flat().map((one) => ({ ...one, same_step: isPlain(one) && one.same_step === true }));
  const [only, ...more] = before ?? [];
  if (only === undefined) return rule;
  return { ...rule, before: more.length === 0 ? (only.own ? { ...only, same_step: false } : only) : before };
}

const isPlain = ({
  result: answer,
  same = [],
}: {
  result?: unknown;
  same?: readonly unknown[] | undefined;
}): boolean => answer === undefined && !JSON.stringify(same).includes('in_result');

const each = <T>(some: T | readonly T[] | undefined, change: (one: T) => T): T | readonly T[] | undefined =>
  some === undefined ? undefined : Array.isArray(some) ? some.map(change) : change(some as T);

type Patterns = Rule['when'];
type Change = (rule: Rule) => Rule;

const ofWhen =
  (change: (one: object) => object): Change =>
  (rule) => ({ ...rule, when: each<object>(rule.when, change) as Patterns });
const ofOthers =
  (change: (one: object) => object): Change =>
  (rule) =>
    ({
      ...rule,
      ...(rule.before && { before: each<object>(rule.before, change) }),
      ...(rule.after && { after: each<object>(rule.after, change) }),
      ...(rule.never_after && { never_after: each<object>(rule.never_after, change) }),
    }) as Rule;
const both = (change: (one: object) => object): Change[] => [ofWhen(change), ofOthers(change)];
const set = (fields: object) => (one: object) => ({ ...one, ...fields });
const without =
  (name: string) =>
  (one: object): object =>
    Object.fromEntries(Object.entries(one).filter(([field]) => field !== name));

const TRUTH = [{ path: '$.k', op: 'equals', value: 1 }];

const changes: Change[] = [
  ...both(set({ tool: ['a', 'b'] })),
  ...both(set({ tool: 'a' })),
  ...both(set({ tool: '*' })),
  ...both(set({ except: 'c' })),
  ...both(without('except')),
  ...both(set({ assertions: TRUTH })),
  ...both(without('assertions')),
  ...both(without('result')),
  ...both(set({ failed: false })),
  ...both(without('failed')),
  ofWhen(set({ result: TRUTH })),
  ofOthers((one) => ({ ...one, same_step: false, result: TRUTH })),
  ofOthers((one) => ({ ...one, same_step: false })),
  ofOthers(without('own')),
  ofOthers(without('same')),
  ofOthers(set({ same: ['$.k'] })),
  ofOthers(set({ same: ['$.k', '$.m'] })),
  (rule) => ({ ...rule, ...(rule.at_most !== undefined && { at_most: 1 }) }),
  (rule) => ({ ...rule, name: 'S' }),
  (rule) => ({ ...rule, when: [rule.when].flat().slice(0, 1) }),
  (rule) => ({ ...rule, ...(rule.before && { before: [rule.before].flat().slice(0, 1) }) }),
  (rule) => ({ ...rule, ...(rule.after && { after: [rule.after].flat().slice(0, 1) }) }),
  (rule) => ({ ...rule, ...(rule.never_after && { never_after: [rule.never_after].flat().slice(0, 1) }) }),
];

/** One edit of a rule, or two. */
export const drawnChange: fc.Arbitrary<Change> = fc
  .array(fc.constantFrom(...changes), { minLength: 1, maxLength: 2 })
  .map((some) => (rule) => some.reduce((so, change) => change(so), rule));
