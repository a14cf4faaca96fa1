import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Rights, TableAction } from './rights.ts';
import type { DataStack } from './stacks/data.ts';

/** The rights of a function in the words of IAM: named actions on named resources. */
export function statementsOf(rights: Rights, data: DataStack): PolicyStatement[] {
  return [
    ...(rights.table.length > 0 ? [useTable(rights.table, data)] : []),
    ...(rights.queue ? [allow(['sqs:SendMessage'], data.runs.queueArn)] : []),
    ...(rights.vault ? [useVault(rights.vault, data)] : []),
    ...(rights.tokens ? tokenStatements(rights.tokens, data) : []),
  ];
}

const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });

const useTable = (actions: readonly TableAction[], { table }: DataStack): PolicyStatement =>
  allow(
    actions.map((action) => `dynamodb:${action}`),
    table.tableArn,
  );

/** No ciphertext is made or opened that is not bound to an organisation, a provider and a key. */
const useVault = (vault: 'encrypt' | 'decrypt', { vaultKey }: DataStack): PolicyStatement =>
  new PolicyStatement({
    actions: [vault === 'encrypt' ? 'kms:Encrypt' : 'kms:Decrypt'],
    resources: [vaultKey.keyArn],
    conditions: {
      Null: {
        'kms:EncryptionContext:org': 'false',
        'kms:EncryptionContext:provider': 'false',
        'kms:EncryptionContext:keyId': 'false',
      },
    },
  });

function tokenStatements(tokens: 'verify' | 'sign', { tokenKeys }: DataStack): PolicyStatement[] {
  const arns = tokenKeys.map(({ keyArn }) => keyArn);
  return [allow(['kms:GetPublicKey'], ...arns), ...(tokens === 'sign' ? [signWith(arns)] : [])];
}

/** Either of the two: while one takes over from the other both may be asked. */
const signWith = (resources: string[]): PolicyStatement =>
  new PolicyStatement({
    actions: ['kms:Sign'],
    resources,
    conditions: { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } },
  });
