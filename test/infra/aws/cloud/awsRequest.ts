import { PK } from '../../../../shared/storage/table/keys.ts';
import type { Deployed } from './deployed.ts';
import type { Right } from './policy.ts';

const SERVICES = ['dynamodb', 'sqs', 'kms'] as const;
export type Service = (typeof SERVICES)[number];

/** The caller of a request, from its signature, and the rights that the request needs. */
export interface AwsRequest {
  readonly accessKeyId: string;
  readonly service: Service;
  readonly operation: string;
  /** All of them are needed. */
  readonly rights: readonly Right[];
}

type Place = Pick<Deployed, 'region' | 'account'>;
// biome-ignore lint/suspicious/noExplicitAny: AWS's own shapes
type Input = Record<string, any>;

/** `AWS4-HMAC-SHA256 Credential=<access key>/<date>/<region>/<service>/aws4_request, …`. */
const CREDENTIAL = /^AWS4-HMAC-SHA256 Credential=(\w+)\/\d{8}\/[\w-]+\/(\w+)\/aws4_request,/;
/** What `x-amz-target` begins with. */
const TARGETS: Readonly<Record<Service, string>> = {
  dynamodb: 'DynamoDB_20120810',
  sqs: 'AmazonSQS',
  kms: 'TrentService',
};

/** Undefined without a signature for one of the known services. */
export function readRequest(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  place: Place,
): AwsRequest | undefined {
  const [, accessKeyId, scope] = CREDENTIAL.exec(String(headers.authorization)) ?? [];
  const service = SERVICES.find((candidate) => candidate === scope);
  const [target, operation] = String(headers['x-amz-target']).split('.');
  if (accessKeyId === undefined || service === undefined) return undefined;
  if (target !== TARGETS[service] || operation === undefined) return undefined;
  return { accessKeyId, service, operation, rights: RIGHTS[service](operation, JSON.parse(body), place) };
}

const RIGHTS: Readonly<Record<Service, (operation: string, input: Input, place: Place) => Right[]>> = {
  dynamodb: tableRights,
  sqs: (operation, input, place) => [queueRight(operation, input, place)],
  kms: (operation, input, place) => [keyRight(operation, input, place)],
};

const arnIn = ({ region, account }: Place, service: Service, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** The action of each kind of item in a transaction. */
const WRITES: Readonly<Record<string, string>> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function tableRights(operation: string, input: Input, place: Place): Right[] {
  const keys = leadingKeys(operation, input);
  const right = (action: string, { TableName, IndexName }: Input): Right => ({
    action: `dynamodb:${action}`,
    resource: arnIn(place, 'dynamodb', `table/${TableName}${IndexName ? `/index/${IndexName}` : ''}`),
    context: keys.length > 0 ? { 'dynamodb:LeadingKeys': keys } : {},
  });
  switch (operation) {
    case 'TransactWriteItems':
      return itemsOf(input).map(([kind, item]) => right(WRITES[kind] ?? kind, item));
    case 'TransactGetItems':
      return itemsOf(input).map(([, item]) => right('GetItem', item));
    case 'BatchGetItem':
    case 'BatchWriteItem':
      return Object.keys(input.RequestItems).map((TableName) => right(operation, { TableName }));
    default:
      return [right(operation, input)];
  }
}

const itemsOf = ({ TransactItems }: Input): [string, Input][] =>
  TransactItems.flatMap((item: Input) => Object.entries(item));

/** The partition keys of all items in a request. None for a query, whose key is inside its expression. */
function leadingKeys(operation: string, input: Input): string[] {
  const named: Input[] = operation.startsWith('Transact')
    ? itemsOf(input).map(([, item]) => item)
    : [input, ...Object.values<Input>(input.RequestItems ?? {}).flatMap(({ Keys = [] }) => Keys)];
  return named.flatMap((item) => (item.Key ?? item.Item ?? item)[PK]?.S ?? []);
}

/** A batch needs the right of the single operation. */
const queueRight = (operation: string, { QueueUrl, QueueName }: Input, place: Place): Right => ({
  action: `sqs:${operation.replace(/Batch$/, '')}`,
  resource: arnIn(place, 'sqs', QueueName ?? String(QueueUrl).split('/').at(-1)),
  context: {},
});

/** Without the key's name a ciphertext matches no key of a policy. */
function keyRight(operation: string, input: Input, place: Place): Right {
  const { KeyId = '', EncryptionContext = {}, SigningAlgorithm } = input;
  const context = Object.entries<string>(EncryptionContext).map(
    ([name, value]) => [`kms:EncryptionContext:${name}`, value] as const,
  );
  return {
    action: `kms:${operation}`,
    resource: KeyId.startsWith('arn:') ? KeyId : arnIn(place, 'kms', `key/${KeyId}`),
    context: {
      ...Object.fromEntries(context),
      ...(SigningAlgorithm !== undefined && { 'kms:SigningAlgorithm': SigningAlgorithm }),
    },
  };
}
