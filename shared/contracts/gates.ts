import * as z from 'zod';
import { shareSchema, slugUpTo } from './base/common.ts';
import { described } from './base/fields.ts';

/**
 * Whose doing it is that a scorer could not judge: of what the candidate sent, of the bar with its scorers and keys, or of
 * the service and the providers of models.
 */
export const faultSchema = z.enum(['candidate', 'bar', 'service']);
export type Fault = z.infer<typeof faultSchema>;

export const RUN_STATUSES = ['pending', 'cleared', 'aborted'] as const;

const TAG_LENGTH_MAX = 50;
const TAG_GATES_MAX = 50;
/** As many as a suite has cases at most. */
export const JUDGED_CASES_MAX = 10_000;

export const tagSchema = slugUpTo(TAG_LENGTH_MAX);

const judgedCasesSchema = z.int().min(1).max(JUDGED_CASES_MAX);

const tagGateSchema = z.strictObject({
  tag: described(tagSchema, { label: 'Tag', isTrimmed: true }),
  /** The least weighted pass rate of the cases with this tag. */
  pass_threshold: described(shareSchema, {
    label: 'Pass threshold of the tag',
    unit: 'percent',
    sample: 1,
  }),
  /** With fewer cases that have a verdict, the gate is inconclusive. */
  min_judged_cases: described(judgedCasesSchema.default(1), { label: 'Judged', bound: 'least' }),
});

/** Defaults are stored, so that another default would change no bar. */
const regressionSchema = z.strictObject({
  /** The share of comparisons of equal runs that may fail by chance. */
  alpha: described(z.number().positive().max(0.5).default(0.05), {
    label: 'Alpha',
    hint: 'The share of equal runs that may fail by chance.',
  }),
  /** A smaller fall of the pass rate is no regression. */
  min_drop: described(shareSchema.default(0.02), {
    label: 'Least drop',
    hint: 'A smaller fall of the pass rate is none.',
    unit: 'percent',
  }),
});

/** Of each scorer that models judge by. Its check asks about the examples of cases. */
const judgesSchema = z.strictObject({
  /** The least lower bound of the share of wrong answers that it catches. */
  min_caught: described(z.number().positive().max(1), {
    label: 'Wrong answers caught',
    hint: 'As the check of each judge proves it: 70 takes 26 of 30.',
    bound: 'least',
    unit: 'percent',
    sample: 0.7,
  }),
  /** An older check proves nothing. */
  max_age_days: described(z.int().min(1).max(365).default(30), {
    label: 'Age of the check in days',
    bound: 'most',
  }),
});

const tagsOnce = (gates: readonly { tag: string }[]): boolean =>
  new Set(gates.map(({ tag }) => tag)).size === gates.length;

const fields = {
  /** With fewer cases that have a verdict, the run is inconclusive. */
  min_judged_cases: described(judgedCasesSchema, {
    label: 'Judged cases',
    hint: 'With fewer, a run is inconclusive.',
    bound: 'least',
  }),
  /** The least lower bound of the pass rate's 95 % interval. */
  min_lower_bound: described(shareSchema, {
    label: 'Lower bound',
    hint: 'Of the pass rate’s 95 % interval: few cases prove little.',
    unit: 'percent',
  }),
  tags: described(
    z
      .array(tagGateSchema)
      .max(TAG_GATES_MAX, `at most ${TAG_GATES_MAX} gates`)
      .refine(tagsOnce, 'must not name a tag twice'),
    { label: 'Gates of tags', result: 'Tag', row: 'a gate for a tag', widget: 'rows' },
  ),
  /** How many cases may fail that passed in the baseline. Without a baseline, the run is inconclusive. */
  max_newly_failing: described(z.int().min(0), {
    label: 'Newly failing cases',
    hint: 'Compared with the baseline.',
    bound: 'most',
    isRelative: true,
  }),
  /** The run fails where it is worse than the baseline. Without a baseline, it is inconclusive. */
  regression: described(regressionSchema, {
    label: 'A run that is worse than the baseline fails, where that is more than chance',
    result: 'Regression',
    widget: 'group',
    isRelative: true,
  }),
  /** The least share of the weight that has to be comparable with the baseline; 0.8 without it. */
  min_comparable: described(z.number().positive().max(1), {
    label: 'Comparable',
    hint: 'The share of the weight that the baseline has, too; 80 without it.',
    bound: 'least',
    unit: 'percent',
  }),
  /** Without a check that shows it of every judge, the run is inconclusive. */
  judges: described(judgesSchema, {
    label: 'Each judge has shown in a check that it fails wrong answers',
    result: 'Judges',
    widget: 'group',
  }),
};

/**
 * The bars of a suite beside its `pass_threshold`; `{}` for none. Strict: a misspelt gate that was ignored would be an
 * open gate.
 */
export const gatesSchema = described(z.strictObject(fields).partial(), {
  label: 'Gates',
  hint: 'A field that is empty is no gate.',
  widget: 'group',
});
export type Gates = z.infer<typeof gatesSchema>;

type Fields = typeof fields;
type Nullish = { [Name in keyof Fields]: z.ZodOptional<z.ZodNullable<Fields[Name]>> };

/** As they are sent: null is for a gate that is not wanted, and is not stored. */
export const sentGatesSchema = z
  .strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.nullish()])) as Nullish,
  )
  .transform((gates): Gates => Object.fromEntries(Object.entries(gates).filter(([, gate]) => gate != null)));

/**
 * `GATE_CANNOT_PASS`: a gate that no output passes, however good. `CASE_CANNOT_PASS`: a case that none passes.
 * `NOTHING_CLEARS_IT`: an answer without content would be cleared. `SLIP_PASSES`: what is expected, with one wrong fact,
 * would pass. `CONSTANT_CLEARS`, which is no warning: a refusal or another fixed answer would be cleared.
 */
const BAR_WARNINGS = [
  'GATE_CANNOT_PASS',
  'CASE_CANNOT_PASS',
  'NOTHING_CLEARS_IT',
  'SLIP_PASSES',
  'CONSTANT_CLEARS',
] as const;

/** What is wrong with a suite's bar as it is, or as it would be after a write. */
export const barWarningSchema = z.object({
  /** As a verdict names it. */
  gate: z.string(),
  code: z.enum(BAR_WARNINGS),
  /** The key of a case that shows it. */
  case: z.string().optional(),
  /** What is wrong, and what to do. It quotes nothing that a case expects. */
  message: z.string(),
  /** Of `SLIP_PASSES`: an output beside what the case expects, both shortened. Left out for scope `run`. */
  example: z.string().optional(),
});
export type BarWarning = z.infer<typeof barWarningSchema>;

/** What the answer to a write adds to a suite or a case: left out where every gate may pass. */
export const warnedFields = { warnings: z.array(barWarningSchema).optional() };

const GATE_STATUSES = ['passed', 'failed', 'inconclusive', 'not_applicable'] as const;
export type GateStatus = (typeof GATE_STATUSES)[number];

const gateSchema = z.object({
  /** `pass_rate`, `min_judged_cases`, `min_lower_bound`, `must_pass`, `tag:<tag>`, `max_newly_failing`, `regression` or `judges`. */
  gate: z.string(),
  /** Inconclusive: errored cases, too little evidence or a missing baseline decide. */
  status: z.enum(GATE_STATUSES),
  /** Of `regression` the p-value. Null where there is no baseline to compare with. */
  observed: z.number().nullable(),
  required: z.number(),
  /** Of `regression`: by how much the pass rate differs from the baseline's. */
  difference: z.number().optional(),
  /** The keys of at most 20 must-pass cases that did not pass, or newly failing ones: failed ones first, and of these the heaviest. */
  cases: z.array(z.string()).optional(),
  /** Of a tag: those that have a verdict. */
  judged_cases: z.int().optional(),
  reason: z.string().optional(),
});

const confidenceSchema = z.object({
  level: z.number(),
  method: z.string(),
  lower: shareSchema,
  upper: shareSchema,
  /** Fewer than the cases where weights differ. */
  effective_cases: z.number(),
});

const flipsSchema = z.object({
  to: z.enum(['cleared', 'aborted']),
  /** How many cases would have to change for the run to have this status. */
  cases: z.int(),
  /** False where fewer cases may be enough. */
  exact: z.boolean(),
  /** At most 20 of the cases that would have to pass; none for `to: aborted`. */
  case_ids: z.array(z.string()),
});

/** Why a run has its status. */
export const verdictDetailSchema = z.object({
  gates: z.array(gateSchema),
  /** The gates that keep an aborted run from being cleared. */
  decided_by: z.array(z.string()),
  confidence: confidenceSchema,
  /** Null where no number of cases can change the status, and where a gate compares with a baseline. */
  flips: flipsSchema.nullable(),
});
export type VerdictDetail = z.infer<typeof verdictDetailSchema>;
