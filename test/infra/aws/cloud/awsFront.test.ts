import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import {
  DecryptCommand,
  EncryptCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SigningAlgorithmSpec,
} from '@aws-sdk/client-kms';
import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../../support/service.ts';
import { type AwsFront, type Credentials, startAwsFront } from './awsFront.ts';
import { makeEngines, type RunningEngines } from './engines.ts';
import {
  account,
  DEAD,
  deployed,
  functionOf,
  on,
  RUNS,
  region,
  SIGNER,
  TABLE,
  VAULT,
} from './smallDeployment.ts';

let front: AwsFront;
let engines: RunningEngines;
beforeAll(async () => {
  [front, engines] = await Promise.all([startAwsFront(), makeEngines(deployed)]);
  front.serve(deployed, engines);
});
afterEach(() => {
  front.records.used.clear();
  front.records.refused.length = 0;
});
afterAll(async () => {
  await Promise.all([front.stop(), engines.stop()]);
});

const settings = (credentials: Credentials) => ({ region, endpoint: front.url, credentials, maxAttempts: 1 });
const dynamodb = (id: string) => new DynamoDBClient(settings(front.accessKeyOf(id)));
const sqs = (id: string) => new SQSClient(settings(front.accessKeyOf(id)));
const kms = (id: string) => new KMSClient(settings(front.accessKeyOf(id)));

const used = (id: string) => [...(front.records.used.get(id) ?? [])].sort();
const refused = () =>
  front.records.refused.map(({ functionId, action, resource }) => [functionId, action, resource]);
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'one' } });
const put = (pk: string) => new PutItemCommand({ TableName: TABLE.name, Item: key(pk) });
const isThere = async (pk: string) => (await engines.table.get({ pk, sk: 'one' })) !== undefined;

describe('the table', () => {
  test('passes requests that the role allows, and records them', async () => {
    await dynamodb('test/writer').send(put('allowed'));
    expect(await isThere('allowed')).toBe(true);
    const Keys = [key('allowed')];
    const read = await dynamodb('test/reader').send(
      new BatchGetItemCommand({ RequestItems: { [TABLE.name]: { Keys } } }),
    );
    expect(read.Responses?.[TABLE.name]).toEqual(Keys);
    expect([used('test/writer'), used('test/reader')]).toEqual([
      ['dynamodb:PutItem'],
      ['dynamodb:BatchGetItem'],
    ]);
    expect(refused()).toEqual([]);
  });

  test('refuses the rest as AWS does, and nothing has happened', async () => {
    await expect(dynamodb('test/reader').send(put('refused'))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:sts::000000000000:assumed-role/test-reader/test-reader is not authorized to perform: ' +
        `dynamodb:PutItem on resource: ${TABLE.arn} because no identity-based policy allows the dynamodb:PutItem action`,
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
    expect(await isThere('refused')).toBe(false);
    expect(refused()).toEqual([['test/reader', 'dynamodb:PutItem', TABLE.arn]]);
    expect(used('test/reader')).toEqual([]);
  });

  test('has no right to another table, nor to an index', async () => {
    const other = new GetItemCommand({ TableName: 'other-table', Key: key('a') });
    await expect(dynamodb('test/reader').send(other)).rejects.toThrow('table/other-table');
    const index = new QueryCommand({
      TableName: TABLE.name,
      IndexName: 'by-name',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    });
    await expect(dynamodb('test/writer').send(index)).rejects.toThrow('table/the-table/index/by-name');
  });

  test('checks a transaction item by item', async () => {
    const transact = (...TransactItems: TransactWriteItem[]) =>
      dynamodb('test/writer').send(new TransactWriteItemsCommand({ TransactItems }));
    const Put = (pk: string) => ({ Put: { TableName: TABLE.name, Item: key(pk) } });
    await transact(Put('first'), Put('second'));
    expect(used('test/writer')).toEqual(['dynamodb:PutItem']);
    const one = { TableName: TABLE.name, Key: key('first') };
    const ConditionCheck = { ...one, ConditionExpression: 'attribute_exists(pk)' };
    const Update = {
      ...one,
      UpdateExpression: 'SET a = :a',
      ExpressionAttributeValues: { ':a': { S: 'a' } },
    };
    const others: [TransactWriteItem, string][] = [
      [{ ConditionCheck }, 'dynamodb:ConditionCheckItem'],
      [{ Delete: one }, 'dynamodb:DeleteItem'],
      [{ Update }, 'dynamodb:UpdateItem'],
    ];
    for (const [item, action] of others) {
      await expect(transact(Put('third'), item)).rejects.toThrow(`not authorized to perform: ${action} on`);
      expect(refused().pop()).toEqual(['test/writer', action, TABLE.arn]);
    }
    expect(await isThere('third')).toBe(false);
  });
});

describe('a queue', () => {
  const QueueUrl = (name = RUNS.name) => `${front.url}/${account}/${name}`;
  const Entries = [{ Id: '0', MessageBody: 'hello' }];

  test('lets in a batch by the right to send, and out by the right to receive', async () => {
    await sqs('test/sender').send(new SendMessageBatchCommand({ QueueUrl: QueueUrl(), Entries }));
    const receiver = sqs('test/receiver');
    const { Messages = [] } = await receiver.send(new ReceiveMessageCommand({ QueueUrl: QueueUrl() }));
    expect(Messages.map(({ Body }) => Body)).toEqual(['hello']);
    const handles = Messages.map(({ ReceiptHandle }) => ({ Id: '0', ReceiptHandle }));
    await receiver.send(new DeleteMessageBatchCommand({ QueueUrl: QueueUrl(), Entries: handles }));
    expect([used('test/sender'), used('test/receiver')]).toEqual([
      ['sqs:SendMessage'],
      ['sqs:DeleteMessage', 'sqs:ReceiveMessage'],
    ]);
  });

  test('refuses requests without a right in AWS’s form', async () => {
    const receive = new ReceiveMessageCommand({ QueueUrl: QueueUrl() });
    await expect(sqs('test/sender').send(receive)).rejects.toMatchObject({
      name: 'AccessDenied',
      message: expect.stringContaining(`perform: sqs:receivemessage on resource: ${RUNS.arn} because`),
      $metadata: { httpStatusCode: 403 },
    });
    const toOther = new SendMessageCommand({ QueueUrl: QueueUrl(DEAD.name), MessageBody: 'hello' });
    await expect(sqs('test/sender').send(toOther)).rejects.toThrow(DEAD.arn);
    expect(refused()).toEqual([
      ['test/sender', 'sqs:ReceiveMessage', RUNS.arn],
      ['test/sender', 'sqs:SendMessage', DEAD.arn],
    ]);
  });

  test('gives nothing to a receiver that has gone', async () => {
    const gone = new AbortController();
    const waiting = new ReceiveMessageCommand({ QueueUrl: QueueUrl(), WaitTimeSeconds: 20 });
    const received = sqs('test/receiver').send(waiting, { abortSignal: gone.signal });
    await eventually(() => used('test/receiver').length > 0);
    gone.abort();
    await expect(received).rejects.toThrow('abort');
    await sqs('test/sender').send(new SendMessageBatchCommand({ QueueUrl: QueueUrl(), Entries }));
    const next = new ReceiveMessageCommand({ QueueUrl: QueueUrl(), WaitTimeSeconds: 10 });
    expect((await sqs('test/receiver').send(next)).Messages).toHaveLength(1);
    expect(refused()).toEqual([]);
  });
});

describe('a key', () => {
  const plain = { KeyId: VAULT, Plaintext: Buffer.from('secret') };
  const encrypt = (EncryptionContext?: Record<string, string>) =>
    kms('test/vault').send(new EncryptCommand({ ...plain, ...(EncryptionContext && { EncryptionContext }) }));

  test('encrypts with the context that the role demands, and not without', async () => {
    const { CiphertextBlob } = await encrypt({ org: 'one', provider: 'openai' });
    expect(CiphertextBlob).toBeInstanceOf(Uint8Array);
    expect(used('test/vault')).toEqual(['kms:Encrypt']);
    for (const context of [undefined, { provider: 'openai' }]) {
      await expect(encrypt(context)).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: expect.stringContaining(`perform: kms:Encrypt on resource: ${VAULT} because`),
        $metadata: { httpStatusCode: 400 },
      });
    }
  });

  test('decrypts nothing for a role that may only encrypt, even without the key’s name', async () => {
    const EncryptionContext = { org: 'one' };
    const { CiphertextBlob } = await encrypt(EncryptionContext);
    for (const KeyId of [VAULT, undefined]) {
      const decrypt = new DecryptCommand({ CiphertextBlob, EncryptionContext, ...(KeyId && { KeyId }) });
      await expect(kms('test/vault').send(decrypt)).rejects.toThrow('perform: kms:Decrypt');
    }
  });

  test('signs by the algorithm that the role names only', async () => {
    const sign = (SigningAlgorithm: SigningAlgorithmSpec, KeyId = SIGNER) =>
      kms('test/signer').send(new SignCommand({ KeyId, Message: Buffer.from('token'), SigningAlgorithm }));
    expect((await sign('RSASSA_PKCS1_V1_5_SHA_256')).Signature).toBeInstanceOf(Uint8Array);
    await expect(sign('RSASSA_PSS_SHA_256')).rejects.toThrow('perform: kms:Sign');
    await expect(sign('RSASSA_PKCS1_V1_5_SHA_256', VAULT)).rejects.toThrow(VAULT);
    await kms('test/signer').send(new GetPublicKeyCommand({ KeyId: SIGNER }));
    expect(used('test/signer')).toEqual(['kms:GetPublicKey', 'kms:Sign']);
  });
});

describe('an unknown caller', () => {
  const unknown = { name: 'UnrecognizedClientException', $metadata: { httpStatusCode: 400 } };

  test('is refused: with other credentials, with unknown ones, and with parts of two', async () => {
    const stranger = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'x', sessionToken: 'x' };
    const mixed = {
      ...front.accessKeyOf('test/writer'),
      sessionToken: front.accessKeyOf('test/reader').sessionToken,
    };
    for (const credentials of [stranger, front.accessKeyOf('test/nobody'), mixed]) {
      await expect(new DynamoDBClient(settings(credentials)).send(put('unknown'))).rejects.toMatchObject(
        unknown,
      );
    }
    const { sessionToken: _, ...lasting } = front.accessKeyOf('test/writer');
    await expect(
      new DynamoDBClient({ ...settings(stranger), credentials: lasting }).send(put('unknown')),
    ).rejects.toMatchObject(unknown);
    expect(await isThere('unknown')).toBe(false);
    expect(front.records.refused).toHaveLength(4);
  });

  test('gets nothing without a signature, or with one for another service', async () => {
    const body = JSON.stringify({ TableName: TABLE.name, Item: key('unsigned') });
    const { accessKeyId, sessionToken } = front.accessKeyOf('test/writer');
    const scope = `${accessKeyId}/20260101/${region}/sqs/aws4_request`;
    for (const headers of [
      {},
      {
        authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=00`,
        'x-amz-security-token': sessionToken,
      },
    ]) {
      const response = await fetch(front.url, {
        method: 'POST',
        headers: { 'x-amz-target': 'DynamoDB_20120810.PutItem', ...headers },
        body,
      });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ __type: expect.stringContaining(unknown.name) });
    }
    expect(await isThere('unsigned')).toBe(false);
    expect(front.records.refused).toHaveLength(2);
  });
});

test('a new deployment takes effect at once', async () => {
  const reader = functionOf('test/reader', [on(TABLE.arn, 'dynamodb:PutItem')]);
  front.serve({ ...deployed, functions: new Map([[reader.id, reader]]) }, engines);
  await dynamodb('test/reader').send(put('anew'));
  await expect(dynamodb('test/writer').send(put('gone'))).rejects.toMatchObject({
    name: 'UnrecognizedClientException',
  });
  front.serve(deployed, engines);
  await expect(dynamodb('test/reader').send(put('anew'))).rejects.toThrow('not authorized');
});

test('an engine that is not there is a connection that breaks, not an answer', async () => {
  front.serve(deployed, { ...engines, dynamodb: 'http://127.0.0.1:9' });
  await expect(dynamodb('test/writer').send(put('lost'))).rejects.toThrow('socket hang up');
  front.serve(deployed, engines);
  expect(refused()).toEqual([]);
});
