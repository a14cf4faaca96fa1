import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Key } from 'aws-cdk-lib/aws-kms';
import { SIGN_IN_SECRET } from '../../../shared/contracts/base/providers.ts';
import type { Rights } from '../../../shared/contracts/base/rights.ts';
import type { DataStack } from '../stacks/data.ts';

/** A function's rights as IAM statements: named actions on named resources. */
export function statementsOf(rights: Rights, data: DataStack): PolicyStatement[] {
  return [
    ...tableStatements(rights, data),
    ...(rights.queue ? [allow(QUEUE_ACTIONS[rights.queue], data.runs.queueArn)] : []),
    ...(rights.vault ? [useVault(rights.vault, data)] : []),
    ...(rights.tokens ? keyStatements(rights.tokens === 'sign', data.tokenKeys, TOKEN_ALGORITHM) : []),
    ...(rights.statements
      ? keyStatements(rights.statements === 'sign', data.statementKeys, STATEMENT_ALGORITHM)
      : []),
  ];
}

const QUEUE_ACTIONS = { send: ['sqs:SendMessage'], count: ['sqs:SendMessage', 'sqs:GetQueueAttributes'] };

const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });

function tableStatements({ table: actions, updates }: Rights, { table }: DataStack): PolicyStatement[] {
  const free = actions.filter((action) => updates === undefined || action !== 'UpdateItem');
  return [
    ...(free.length > 0
      ? [
          allow(
            free.map((action) => `dynamodb:${action}`),
            table.tableArn,
          ),
        ]
      : []),
    ...(updates ? [update(updates, table.tableArn)] : []),
  ];
}

/** Allows updates whose items all have one of these prefixes. */
const update = (prefixes: readonly string[], tableArn: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['dynamodb:UpdateItem'],
    resources: [tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': prefixes.map((prefix) => `${prefix}*`) },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  });

const PROVIDER = 'kms:EncryptionContext:provider';
/** The evaluator opens the keys of judges, the end of a sign-in the secret for it, and neither the other's. */
const OF_PROVIDER: Readonly<Record<string, Record<string, Record<string, string>>>> = {
  decrypt: { StringNotEquals: { [PROVIDER]: SIGN_IN_SECRET } },
  decryptSignIn: { StringEquals: { [PROVIDER]: SIGN_IN_SECRET } },
};

/** Allows KMS calls only with an encryption context of organisation, provider and key. */
const useVault = (vault: NonNullable<Rights['vault']>, { vaultKey }: DataStack): PolicyStatement =>
  new PolicyStatement({
    actions: [vault === 'encrypt' ? 'kms:Encrypt' : 'kms:Decrypt'],
    resources: [vaultKey.keyArn],
    conditions: {
      ...OF_PROVIDER[vault],
      Null: {
        'kms:EncryptionContext:org': 'false',
        'kms:EncryptionContext:provider': 'false',
        'kms:EncryptionContext:keyId': 'false',
      },
    },
  });

const TOKEN_ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';
const STATEMENT_ALGORITHM = 'ECDSA_SHA_256';

function keyStatements(signs: boolean, keys: readonly Key[], algorithm: string): PolicyStatement[] {
  const arns = keys.map(({ keyArn }) => keyArn);
  return [allow(['kms:GetPublicKey'], ...arns), ...(signs ? [signWith(arns, algorithm)] : [])];
}

/** Allows both keys: during a rotation functions may use either. */
const signWith = (resources: string[], algorithm: string): PolicyStatement =>
  new PolicyStatement({
    actions: ['kms:Sign'],
    resources,
    conditions: { StringEquals: { 'kms:SigningAlgorithm': algorithm } },
  });
