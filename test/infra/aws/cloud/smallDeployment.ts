import type { Deployed, DeployedFunction, Named, Statement } from './deployed.ts';

/** The only account that the embedded SQS engine knows. */
export const [region, account] = ['us-east-1', '000000000000'];
const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
export const TABLE = { name: 'the-table', arn: arn('dynamodb', 'table/the-table') };
export const [RUNS, DEAD] = ['runs', 'dead'].map((name) => ({ name, arn: arn('sqs', name) })) as [
  Named,
  Named,
];
export const VAULT = arn('kms', 'key/11111111-1111-1111-1111-111111111111');
export const SIGNER = arn('kms', 'key/22222222-2222-2222-2222-222222222222');

export const on = (resource: string, ...actions: string[]): Statement => ({
  actions,
  resources: [resource],
  condition: {},
});
const RIGHTS: Readonly<Record<string, Statement[]>> = {
  'test/writer': [on(TABLE.arn, 'dynamodb:PutItem', 'dynamodb:Query')],
  'test/reader': [on(TABLE.arn, 'dynamodb:GetItem', 'dynamodb:BatchGetItem')],
  'test/sender': [on(RUNS.arn, 'sqs:SendMessage')],
  'test/receiver': [on(RUNS.arn, 'sqs:ReceiveMessage', 'sqs:DeleteMessage')],
  'test/vault': [
    { ...on(VAULT, 'kms:Encrypt'), condition: { Null: { 'kms:EncryptionContext:org': 'false' } } },
  ],
  'test/signer': [
    on(SIGNER, 'kms:GetPublicKey'),
    {
      ...on(SIGNER, 'kms:Sign'),
      condition: { StringEquals: { 'kms:SigningAlgorithm': 'RSASSA_PKCS1_V1_5_SHA_256' } },
    },
  ],
};

export const functionOf = (id: string, statements: readonly Statement[]): DeployedFunction => ({
  id,
  name: id.replace('/', '-'),
  arn: arn('lambda', `function:${id.replace('/', '-')}`),
  folder: '',
  handler: 'index.handler',
  variables: {},
  memoryMegabytes: 512,
  timeoutSeconds: 29,
  statements,
});
/** A function for each kind of right. */
export const deployed: Deployed = {
  region,
  account,
  functions: new Map(Object.entries(RIGHTS).map(([id, rights]) => [id, functionOf(id, rights)])),
  routes: new Map(),
  table: TABLE,
  queues: [
    { ...RUNS, visibilityTimeoutSeconds: 60, redrive: { deadLettersArn: DEAD.arn, maxReceiveCount: 5 } },
    { ...DEAD, visibilityTimeoutSeconds: 60, redrive: undefined },
  ],
  keys: [
    { arn: VAULT, usage: 'ENCRYPT_DECRYPT', spec: 'SYMMETRIC_DEFAULT' },
    { arn: SIGNER, usage: 'SIGN_VERIFY', spec: 'RSA_2048' },
  ],
  eventSources: [],
  schedules: [],
  edge: {
    headers: {},
    forwardedHeaders: [],
    forwardedCookies: [],
    patterns: [],
    answer: () => undefined,
  },
};
