import * as z from 'zod';
import type { DeployedKey, DeployedQueue, Named } from '../deployed.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';

/** A policy of the table's own would count beside those of the roles. */
const tableSchema = z.looseObject({ ResourcePolicy: z.undefined().optional() });

export function tableOf(made: Made): Named {
  const table = made.only('AWS::DynamoDB::Table');
  read(table, tableSchema);
  return { name: table.value('Ref'), arn: table.value('Arn') };
}

const queueSchema = z.looseObject({
  VisibilityTimeout: z.int(),
  FifoQueue: z.undefined().optional(),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: z.int() }).optional(),
});

/** The only policy that a queue may have: it denies requests without TLS. */
const queuePolicySchema = z.strictObject({
  Queues: z.array(z.string()),
  PolicyDocument: z.strictObject({
    Version: z.literal('2012-10-17'),
    Statement: z.array(
      z.strictObject({
        Effect: z.literal('Deny'),
        Action: z.literal('sqs:*'),
        Principal: z.strictObject({ AWS: z.literal('*') }),
        Resource: z.string(),
        Condition: z.strictObject({ Bool: z.strictObject({ 'aws:SecureTransport': z.literal('false') }) }),
      }),
    ),
  }),
});

export function queuesOf(made: Made): DeployedQueue[] {
  for (const policy of made.ofType('AWS::SQS::QueuePolicy')) read(policy, queuePolicySchema);
  return made.ofType('AWS::SQS::Queue').map((queue) => {
    const { VisibilityTimeout, RedrivePolicy } = read(queue, queueSchema);
    return {
      name: queue.value('QueueName'),
      arn: queue.value('Arn'),
      visibilityTimeoutSeconds: VisibilityTimeout,
      redrive: RedrivePolicy && {
        deadLettersArn: made.named('AWS::SQS::Queue', 'Arn', RedrivePolicy.deadLetterTargetArn).value('Arn'),
        maxReceiveCount: RedrivePolicy.maxReceiveCount,
      },
    };
  });
}

/** The only policy that a key may have: it leaves the decision to the account's roles. */
const keySchema = (account: string) =>
  z.looseObject({
    KeyUsage: z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY']).default('ENCRYPT_DECRYPT'),
    KeySpec: z.enum(['SYMMETRIC_DEFAULT', 'RSA_2048', 'ECC_NIST_P256']).default('SYMMETRIC_DEFAULT'),
    Enabled: z.literal(true).optional(),
    KeyPolicy: z.strictObject({
      Version: z.literal('2012-10-17'),
      Statement: z.tuple([
        z.strictObject({
          Effect: z.literal('Allow'),
          Action: z.literal('kms:*'),
          Principal: z.strictObject({ AWS: z.literal(`arn:aws:iam::${account}:root`) }),
          Resource: z.literal('*'),
        }),
      ]),
    }),
  });

export const keysOf = (made: Made, account: string): DeployedKey[] =>
  made.ofType('AWS::KMS::Key').map((key: Resource) => {
    const { KeyUsage, KeySpec } = read(key, keySchema(account));
    return { arn: key.value('Arn'), usage: KeyUsage, spec: KeySpec };
  });
