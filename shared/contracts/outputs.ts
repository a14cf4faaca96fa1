import * as z from 'zod';
import { documentObjectSchema, inputSchema, storedObjectSchema } from './base/common.ts';
import { CONTRACT_LIMITS, OUTPUTS_MAX } from './base/limits.ts';

/** Written out: to format a number costs a start 10 ms, for the language data that it loads. */
const TOO_MANY = 'a list of 1 to 20,000 items';
/** An id has 36 characters, a key at most 100. */
const CASE_NAME_MAX = 200;
const AMOUNTS = ['latency_ms', 'input_tokens', 'output_tokens', 'cost_usd'] as const;

export const outputSchema = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= CONTRACT_LIMITS.outputBytes, 'at most 1 MB');

export const metadataSchema = documentObjectSchema(CONTRACT_LIMITS.metadataBytes).superRefine(
  (metadata, context) => {
    for (const name of AMOUNTS) {
      const amount = metadata[name];
      if (amount === undefined || (typeof amount === 'number' && amount >= 0)) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'must be a number of at least 0' });
    }
  },
);

/** What an agent did, read entry by entry when the request is taken. */
const entriesSchema: z.ZodType<readonly unknown[], readonly unknown[]> = z.array(z.unknown());

/** Of an output and of a run of one output. */
export const traceFields = {
  /** The calls of tools in their order, in evalgate's form. At most 256 kB, 1,000 calls. */
  trace: entriesSchema.optional(),
  /** In its place: a list as the API of OpenAI or Anthropic takes or gives it. */
  messages: entriesSchema.optional(),
};

interface Traced {
  readonly trace?: unknown;
  readonly messages?: unknown;
}

/** Also null: what is wrong with it is said of its field. */
const isGiven = (value: unknown): boolean => value !== undefined;
const hasTrace = ({ trace, messages }: Traced): boolean => isGiven(trace) || isGiven(messages);
const hasTwoTraces = ({ trace, messages }: Traced): boolean => isGiven(trace) && isGiven(messages);
const ONE_TRACE = 'must not be sent beside trace';

export const outputItemSchema = z
  .object({
    /** The id or the key of the case that it answers. Several items of one case are its samples. */
    case: z.string().min(1).max(CASE_NAME_MAX),
    /** Either this or `error`, at most 1 MB. Left out beside a trace: its agent's last text. */
    output: outputSchema.optional(),
    /** Why there is no output, 1 to 2,000 characters: the case is errored, not failed. A trace may stand beside it. */
    error: z.string().min(1).max(2_000).optional(),
    ...traceFields,
    /** Takes the place of the run's `input`, at most 256 kB. */
    input: inputSchema.optional(),
    /** At most 2 kB; `latency_ms`, `input_tokens`, `output_tokens` and `cost_usd` are numbers of at least 0. */
    metadata: metadataSchema.optional(),
  })
  .superRefine(({ output, error, ...traced }, context) => {
    if (hasTwoTraces(traced)) context.addIssue({ code: 'custom', path: ['messages'], message: ONE_TRACE });
    if (output === undefined && error === undefined) {
      if (hasTrace(traced)) return;
      context.addIssue({ code: 'custom', path: ['output'], message: 'must be given, or error' });
    } else if (output !== undefined && error !== undefined) {
      context.addIssue({ code: 'custom', path: ['error'], message: 'must not be sent beside output' });
    }
  });
/** What a client's harness got for a case: an output, or why there is none. */
export type OutputItem = Readonly<z.output<typeof outputItemSchema>>;

const ITEM_FIELDS = Object.keys(outputItemSchema.shape);

/** A list or an object in a field that is not read: it may show what the agent did. */
const unreadEvidence = (item: object): string | undefined =>
  Object.entries(item).find(
    ([name, value]) =>
      typeof value === 'object' &&
      value !== null &&
      !['expected', '__proto__'].includes(name) &&
      !ITEM_FIELDS.includes(name),
  )?.[0];

const unreadMessage = (name: string): string =>
  `has a list or an object in ${JSON.stringify(name.slice(0, CASE_NAME_MAX))}, which is not read and may show calls: send trace or messages, or leave it out`;

const sentItemSchema = z
  .unknown()
  .superRefine((item, context) => {
    if (typeof item !== 'object' || item === null) return;
    if ('expected' in item) {
      const message = 'the bar lives on the server: change the case';
      context.addIssue({ code: 'custom', path: ['expected'], message });
    }
    const unread = unreadEvidence(item);
    if (unread !== undefined) context.addIssue({ code: 'custom', path: [], message: unreadMessage(unread) });
  })
  .pipe(outputItemSchema);

/** Items are looked at only when there are not too many. */
export const outputItemsSchema = z
  .custom<readonly unknown[]>(
    (items) => Array.isArray(items) && items.length >= 1 && items.length <= OUTPUTS_MAX,
    TOO_MANY,
  )
  .pipe(z.array(sentItemSchema));

/** What a program that is to answer the suite may know: never what is expected of it. */
export const caseInputSchema = z.object({
  /** The key, by which outputs name it. */
  case: z.string(),
  input: storedObjectSchema,
  /** How many outputs it takes: its `sample_count`. */
  samples: z.int(),
});

interface WithOutputs {
  readonly output?: unknown;
  readonly outputs?: unknown;
  readonly trace?: unknown;
  readonly messages?: unknown;
}

/** Checked beside the fields, so that one answer names everything. */
const EVEN_IF_FIELDS_ARE_WRONG = {
  when: ({ value }: { value: unknown }) =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** A body with an output, a trace or outputs, not two of them. */
export const withOutputs = <T extends z.ZodObject>(body: T) =>
  body
    .refine((sent: WithOutputs) => isGiven(sent.output) || isGiven(sent.outputs) || hasTrace(sent), {
      path: ['output'],
      error: 'Invalid input: expected string, received undefined',
      ...EVEN_IF_FIELDS_ARE_WRONG,
    })
    .refine(({ output, outputs }: WithOutputs) => output === undefined || outputs === undefined, {
      path: ['outputs'],
      error: 'must not be sent together with output',
      ...EVEN_IF_FIELDS_ARE_WRONG,
    })
    .refine((sent: WithOutputs) => sent.outputs === undefined || !hasTrace(sent), {
      path: ['outputs'],
      error: 'must not be sent together with a trace of the run: send each output its own',
      ...EVEN_IF_FIELDS_ARE_WRONG,
    })
    .refine((sent: WithOutputs) => !hasTwoTraces(sent), {
      path: ['messages'],
      error: ONE_TRACE,
      ...EVEN_IF_FIELDS_ARE_WRONG,
    });
