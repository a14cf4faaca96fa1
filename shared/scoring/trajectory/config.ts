import * as z from 'zod';
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
  z.strictObject({
    order: z.enum(ORDERS).default('any_order'),
    /** Left out: those of the case's `expected`. */
    calls: listOf(requestedSchema()).optional(),
    allow_extra: z.union([z.boolean(), z.array(exactNameSchema()).min(1).max(CALLS_MAX)]).default(false),
    forbidden: z
      .array(z.union([nameSchema(), forbiddenSchema()]))
      .max(CALLS_MAX)
      .default([]),
    min_calls: z.int().min(0).max(TIMES_MAX).default(0),
    max_calls: z.int().min(0).max(TIMES_MAX).optional(),
    partial: z.boolean().default(false),
    count_failed: z.boolean().default(false),
    agents: z.enum(['all', 'top']).default('all'),
  }),
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
