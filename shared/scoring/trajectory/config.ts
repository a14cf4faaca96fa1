import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { assertionSchema } from '../jsonPath/config.ts';
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

const listOf = (wanted: z.ZodType<Requested>) => z.array(z.union([z.array(wanted), wanted])).max(CALLS_MAX);

/** The same as a case's `expected`: a pattern or path cannot come from there. */
export const expectedCallsSchema = once(() => listOf(requestedSchema().omit({ assertions: true })));

const forbiddenSchema = once(() =>
  z.strictObject({ tool: nameSchema(), ...argumentFields(), ...assertionsField() }),
);
export type Forbidden = z.infer<ReturnType<typeof forbiddenSchema>>;

const ORDERS = ['any_order', 'in_order'] as const;

export const configSchema = once(() =>
  described(
    z.strictObject({
      calls: described(listOf(requestedSchema()).optional(), {
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
          .array(z.union([nameSchema(), forbiddenSchema()]))
          .max(CALLS_MAX)
          .default([]),
        { label: 'Forbidden tools, one a line', hint: 'Such as delete_*.', widget: 'lines' },
      ),
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

export const isGroup = (wish: Wish): wish is readonly Requested[] => Array.isArray(wish);
export const members = (wish: Wish): readonly Requested[] => (isGroup(wish) ? wish : [wish]);

export const mayBeExtra = ({ allow_extra }: Pick<Config, 'allow_extra'>, tool: string): boolean =>
  typeof allow_extra === 'boolean' ? allow_extra : allow_extra.includes(tool);

/** Without expected calls, here and in the case, it means: any calls but these. */
export const standsAlone = ({ calls, allow_extra, forbidden }: Config, dualSided: boolean): boolean =>
  calls === undefined && allow_extra !== false && forbidden.length > 0 && !dualSided;

export const minOf = ({ min = 1 }: Requested): number => min;

/** How many calls fill an expected one; without limit where more of the tool are allowed anyway. */
export function maxOf(wanted: Requested, config: Pick<Config, 'allow_extra'>, isInGroup: boolean): number {
  if (wanted.max !== undefined) return wanted.max;
  if (!isInGroup && mayBeExtra(config, wanted.tool)) return Number.POSITIVE_INFINITY;
  return Math.max(minOf(wanted), 1);
}

/** How many calls have to be made. */
export const requiredIn = (wishes: readonly Wish[]): number =>
  wishes.flatMap(members).reduce((sum, wanted) => sum + minOf(wanted), 0);

export const asRule = (forbidden: string | Forbidden): Forbidden =>
  typeof forbidden === 'string' ? { tool: forbidden } : forbidden;
