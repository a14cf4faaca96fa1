import * as z from 'zod';
import type { Statement } from './deployed.ts';

/** A right that a request needs; a request may need several. */
export interface Right {
  readonly action: string;
  readonly resource: string;
  /** By condition key: the value of `kms:SigningAlgorithm`, the values of `dynamodb:LeadingKeys`. */
  readonly context: Readonly<Record<string, string | readonly string[]>>;
}

/** IAM's decision without denials: one statement has to allow the whole right. */
export const allows = (statements: readonly Statement[], right: Right): boolean =>
  statements.some(
    ({ actions, resources, condition }) =>
      actions.some((action) => action.toLowerCase() === right.action.toLowerCase()) &&
      resources.some((pattern) => matchesArn(pattern, right.resource)) &&
      holds(condition, right.context),
  );

/** The last part of an ARN may contain colons. */
const ARN_PARTS = 6;

/** `*` is any text and `?` any character, neither beyond the part of the ARN that it stands in; `*` alone is anything. */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === '*' || pattern === arn) return true;
  const [patterns, parts] = [partsOf(pattern), partsOf(arn)];
  return (
    patterns.length === parts.length &&
    patterns.every((part, index) => wildcards(part).test(parts[index] ?? ''))
  );
}

function partsOf(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
}

const wildcards = (pattern: string): RegExp => {
  const escaped = pattern.replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
};

type Values = readonly string[];

/** Compare a request's values with the policy's. A condition key without a value is missing. */
const OPERATORS: Readonly<Record<string, (actual: Values, wanted: Values) => boolean>> = {
  /** Whether a key has to be missing. */
  Null: (actual, [wanted]) => (actual.length === 0) === (wanted === 'true'),
  StringEquals: ([actual], [wanted]) => actual === wanted,
  /** Holds for a key that is missing, too. */
  StringNotEquals: ([actual], [wanted]) => actual !== wanted,
  /** Holds for a key that is missing, too. */
  'ForAllValues:StringLike': (actual, wanted) =>
    actual.every((value) => wanted.some((pattern) => wildcards(pattern).test(value))),
};

function holds(condition: Statement['condition'], context: Right['context']): boolean {
  // The names of condition keys have no case, also those of KMS's encryption contexts; their values have.
  const values = new Map(Object.entries(context).map(([key, value]) => [key.toLowerCase(), value]));
  return Object.entries(condition).every(([operator, wanted]) => {
    const test = OPERATORS[operator];
    if (test === undefined) throw new Error(`Say in policy.ts what the condition ${operator} means`);
    return Object.entries(wanted).every(([key, value]) =>
      test([values.get(key.toLowerCase()) ?? []].flat(), [value].flat()),
    );
  });
}

const oneOrMore = (item: z.ZodString) => z.union([item.transform((one) => [one]), z.array(item).min(1)]);

/** The condition keys of our requests. A condition on another key could never hold. */
const oneValueSchema = z.string().regex(/^kms:(EncryptionContext:\w+|SigningAlgorithm)$/);
const severalValuesSchema = z.literal('dynamodb:LeadingKeys');
const conditionSchema = z.strictObject({
  Null: z.record(z.union([oneValueSchema, severalValuesSchema]), z.enum(['true', 'false'])).optional(),
  StringEquals: z.record(oneValueSchema, z.string()).optional(),
  StringNotEquals: z.record(oneValueSchema, z.string()).optional(),
  'ForAllValues:StringLike': z.record(severalValuesSchema, z.array(z.string()).min(1)).optional(),
});

/** A statement of a template. Unknown forms, such as a denial, throw. */
export const statementSchema = z
  .strictObject({
    Effect: z.literal('Allow'),
    Action: oneOrMore(z.string().regex(/^[a-z]+:[A-Za-z]+$/)),
    Resource: oneOrMore(z.string().regex(/^(arn:.+|\*)$/)),
    Condition: conditionSchema.default({}),
  })
  .transform(
    ({ Action, Resource, Condition }): Statement => ({
      actions: Action,
      resources: Resource,
      condition: Condition as Statement['condition'],
    }),
  );
