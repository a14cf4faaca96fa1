import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { assertionSchema, PATH_LENGTH_MAX } from '../jsonPath/config.ts';
import { once } from '../kit/config.ts';
import { isJsonObject } from '../kit/json.ts';
import { TOOL_LENGTH_MAX } from '../kit/trace.ts';

const CALLS_MAX = 100;
const ASSERTIONS_MAX = 20;
export const TIMES_MAX = 1_000;

const nameSchema = () => z.string().min(1).max(TOOL_LENGTH_MAX);
/** Where a pattern would be taken for a name. */
const exactNameSchema = () =>
  nameSchema().refine((name) => !name.includes('*'), 'must be a whole name: `*` goes only into `forbidden`');

/** Not copied, so that a member named `__proto__` stays. */
const membersSchema = () => z.custom<Readonly<Record<string, unknown>>>(isJsonObject, 'must be an object');

const argumentFields = () => ({
  /** Equal as a whole; a text for tools that take one. */
  arguments: z.union([z.string(), membersSchema()]).optional(),
  /** These members are equal, others are free. */
  arguments_include: membersSchema().optional(),
});
const assertionsField = () => ({
  assertions: z.array(assertionSchema()).min(1).max(ASSERTIONS_MAX).optional(),
});
const countFields = () => ({
  min: z.int().min(0).max(TIMES_MAX).optional(),
  max: z.int().min(1, 'must be at least 1: forbid the tool instead').max(TIMES_MAX).optional(),
});

const requestedSchema = once(() =>
  z.strictObject({ tool: exactNameSchema(), ...argumentFields(), ...assertionsField(), ...countFields() }),
);
export type Requested = z.infer<ReturnType<typeof requestedSchema>>;
/** Calls without an order among them. */
export type Wish = Requested | readonly Requested[];

const callsOf = (callSchema: z.ZodType<Requested>) =>
  z.array(z.union([z.array(callSchema), callSchema])).max(CALLS_MAX);

/** The same as a case's `expected`: a pattern or path cannot come from there. */
export const expectedCallsSchema = once(() => callsOf(requestedSchema().omit({ assertions: true })));

const TOOLS_MAX = 20;
/** Names of tools, with `*` for any characters. */
const toolsSchema = () => z.union([nameSchema(), z.array(nameSchema()).min(1).max(TOOLS_MAX)]);

const patternFields = () => ({
  tool: toolsSchema(),
  except: toolsSchema().optional(),
  ...argumentFields(),
  ...assertionsField(),
  /** Assertions on the call's result. */
  result: assertionsField().assertions,
  failed: z.boolean().optional(),
});
const patternSchema = once(() => z.strictObject(patternFields()));
/** Calls, by what they are. */
export type Pattern = z.infer<ReturnType<typeof patternSchema>>;

const PATHS_MAX = 4;
const pathSchema = () => z.string().max(PATH_LENGTH_MAX);
/** A path of the `when` call's arguments, and where the other call has the same value. */
const sameSchema = once(() =>
  z.union([
    pathSchema(),
    z.strictObject({ path: pathSchema(), in: pathSchema().optional(), in_result: pathSchema().optional() }),
  ]),
);
export type Same = z.infer<ReturnType<typeof sameSchema>>;

const otherSchema = once(() =>
  z.strictObject({
    ...patternFields(),
    same: z.array(sameSchema()).min(1).max(PATHS_MAX).optional(),
    /** Calls that were made at once with the `when` call keep the rule. */
    same_step: z.boolean().optional(),
    /** A call serves one `when` call only. */
    own: z.boolean().optional(),
  }),
);
/** Which other calls a `when` call needs, or excludes. */
export type Other = z.infer<ReturnType<typeof otherSchema>>;

const PATTERNS_MAX = 8;
const someOf = <Schema extends z.ZodType>(pattern: Schema) =>
  z.union([z.array(pattern).min(1).max(PATTERNS_MAX), pattern]);

const RULES_MAX = 40;
const RULE_NAME_LENGTH_MAX = 200;
const ruleSchema = once(() =>
  z.strictObject({
    name: z.string().min(1).max(RULE_NAME_LENGTH_MAX),
    when: someOf(patternSchema()),
    before: someOf(otherSchema()).optional(),
    after: someOf(otherSchema()).optional(),
    never_after: someOf(otherSchema().omit({ own: true })).optional(),
    at_most: z.number().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
    sum: pathSchema().optional(),
    per: z.union([z.enum(['trace', 'step']), z.array(pathSchema()).min(1).max(PATHS_MAX)]).optional(),
  }),
);
export type Rule = z.infer<ReturnType<typeof ruleSchema>>;

const ORDERS = ['any_order', 'in_order'] as const;

export const configSchema = once(() =>
  described(
    z.strictObject({
      calls: described(callsOf(requestedSchema()).optional(), {
        label: 'Calls',
        hint: 'Left empty: those that the case expects.',
        widget: 'json',
        sample: [{ tool: 'lookup' }],
      }),
      order: described(z.enum(ORDERS).default('any_order'), {
        label: 'Order',
        options: { any_order: 'any', in_order: 'as listed here' },
      }),
      forbidden: described(
        z
          .array(z.union([nameSchema(), patternSchema()]))
          .max(CALLS_MAX)
          .default([]),
        { label: 'Forbidden tools, one a line', hint: 'Such as delete_*.', widget: 'lines' },
      ),
      rules: described(z.array(ruleSchema()).min(1).max(RULES_MAX).optional(), {
        label: 'Rules',
        hint: 'What has to be before or after a call, or never after it, and how often calls may be made.',
        widget: 'json',
        sample: [
          { name: 'Orders are looked up first', when: { tool: 'refund' }, before: { tool: 'lookup' } },
        ],
      }),
      allow_extra: described(
        z.union([z.boolean(), z.array(exactNameSchema()).min(1).max(CALLS_MAX)]).default(false),
        {
          label: 'Other calls that are allowed',
          hint: 'All tools (true), or a list of them, such as ["think"].',
          widget: 'json',
          isFurther: true,
        },
      ),
      min_calls: described(z.int().min(0).max(TIMES_MAX).default(0), {
        label: 'Calls in all, at least',
        isFurther: true,
      }),
      max_calls: described(z.int().min(0).max(TIMES_MAX).optional(), {
        label: 'Calls in all, at most',
        isFurther: true,
      }),
      partial: described(z.boolean().default(false), {
        label: 'The score is the share of the calls that were made; else all have to be',
        isFurther: true,
      }),
      count_failed: described(z.boolean().default(false), {
        label: 'Calls that failed count, too',
        isFurther: true,
      }),
      agents: described(z.enum(['all', 'top']).default('all'), {
        label: 'Calls of',
        options: { all: 'all agents', top: 'the top agent only' },
        isFurther: true,
      }),
    }),
    {
      label: 'Tool calls',
      hint: 'The trace of an agent makes the calls that it has to, and none that are forbidden.',
    },
  ),
);
export type Config = z.infer<ReturnType<typeof configSchema>>;
