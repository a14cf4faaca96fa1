import { createHash, randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { VIEWER_ADDRESS_HEADER } from '../../shared/contracts/base/edge.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import {
  apiKeyKey,
  dayRollupKey,
  projectHeadKey,
  resultsKey,
  runKey,
  suiteHeadKey,
  suiteHeadsOfSlug,
  usageKey,
} from '../../shared/storage/table/keys.ts';

/** Bytes of results that the bare handler stores: as many as the service stores for the same suite. */
export const RESULTS_BYTES_HEADER = 'x-bench-results-bytes';

const REQUESTS_MAX = 100;
const WINDOW_MS = 60_000;

interface Bare {
  readonly client: DynamoDBDocumentClient;
  readonly common: { readonly TableName: string; readonly ReturnConsumedCapacity: 'TOTAL' };
}

interface Head {
  readonly suite_id: string;
  readonly slug: string;
  readonly project_id: string;
  readonly project_slug: string;
}

/** The rate limit's write, in a class of the bare handler's own. */
async function countRequest({ client, common }: Bare, address: string): Promise<void> {
  const nowMs = Date.now();
  await client.send(
    new UpdateCommand({
      ...common,
      Key: { pk: `RATE#bare#${address}`, sk: 'RATE' },
      UpdateExpression:
        'SET accepted_at = list_append(if_not_exists(accepted_at, :none), :added), expires_at = :ttl',
      ConditionExpression:
        `attribute_not_exists(accepted_at[${REQUESTS_MAX - 1}]) AND ` +
        '(attribute_not_exists(dropped_until) OR dropped_until <= :start)',
      ExpressionAttributeValues: {
        ':none': [],
        ':added': [nowMs],
        ':start': nowMs - WINDOW_MS,
        ':ttl': Math.ceil((nowMs + 2 * WINDOW_MS) / 1_000),
      },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

async function readItem({ client, common }: Bare, Key: { pk: string; sk: string }) {
  const { Item } = await client.send(new GetCommand({ ...common, Key, ConsistentRead: true }));
  if (Item === undefined) throw new Error(`${Key.pk} ${Key.sk} is not there`);
  return Item;
}

async function headOf({ client, common }: Bare, orgId: string, slug: string): Promise<Head> {
  const { pk, prefix } = suiteHeadsOfSlug(orgId, slug);
  const { Items } = await client.send(
    new QueryCommand({
      ...common,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ConsistentRead: true,
      ScanIndexForward: true,
    }),
  );
  return Items?.[0] as Head;
}

/** Takes the suite's next run number. */
async function takeNumber(
  { client, common }: Bare,
  orgId: string,
  head: Head,
  createdAt: string,
): Promise<number> {
  const { Attributes } = await client.send(
    new UpdateCommand({
      ...common,
      Key: suiteHeadKey(orgId, head.slug, head.project_id),
      UpdateExpression: 'SET last_run_at = :at ADD run_count :one',
      ConditionExpression: 'suite_id = :id AND (attribute_not_exists(last_run_at) OR last_run_at <= :at)',
      ExpressionAttributeValues: { ':at': createdAt, ':id': head.suite_id, ':one': 1 },
      ReturnValues: 'ALL_NEW',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return Number(Attributes?.run_count);
}

/** Writes the items of a run in one transaction. */
async function storeRun(
  { client, common }: Bare,
  orgId: string,
  head: Head,
  { number, at: createdAt }: { readonly number: number; readonly at: string },
): Promise<void> {
  const { TableName } = common;
  const { suite_id, project_id, project_slug } = head;
  const ReturnValuesOnConditionCheckFailure = 'ALL_OLD';
  const run = {
    ...runKey(orgId, suite_id, number),
    status: 'cleared',
    pass_rate: 0.5,
    total_cases: 100,
    passed_cases: 50,
    failed_cases: 50,
    errored_cases: 0,
    inconclusive: false,
    duration_ms: 10,
    trigger: 'api',
    trigger_meta: '{}',
    created_by: { type: 'api_key', key_id: suite_id, label: 'Bench' },
    completed_at: createdAt,
    created_at: createdAt,
    project_id,
    project_slug,
    pair: `1.${'0'.repeat(20)}.1.${'0'.repeat(20)}`,
    results: 300,
    attempt: randomUUID(),
  };
  const day = {
    Key: dayRollupKey(orgId, suite_id, createdAt.slice(0, 10)),
    UpdateExpression: 'ADD day_runs :runs, day_cleared :cleared, day_pass_rate_sum :sum',
    ExpressionAttributeValues: { ':runs': 1, ':cleared': 1, ':sum': 0.5 },
  };
  const usage = {
    Key: usageKey(orgId, createdAt.slice(0, 7), 1, project_id),
    UpdateExpression: 'SET #plan = :plan ADD used :by, #project :by',
    ExpressionAttributeNames: { '#plan': 'plan', '#project': project_id },
    ExpressionAttributeValues: { ':plan': 'enterprise', ':by': 1 },
  };
  const ConditionExpression = 'attribute_not_exists(pk)';
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, ReturnValuesOnConditionCheckFailure, Item: run, ConditionExpression } },
        { Update: { TableName, ReturnValuesOnConditionCheckFailure, ...usage } },
        { Update: { TableName, ReturnValuesOnConditionCheckFailure, ...day } },
      ],
      ReturnConsumedCapacity: 'TOTAL',
      ClientRequestToken: randomUUID(),
    }),
  );
}

async function storeResults({ client, common }: Bare, orgId: string, head: Head, bytes: number) {
  const key = resultsKey(orgId, head.suite_id, randomUUID(), { chunk: 0, part: 0 });
  await client.send(new PutCommand({ ...common, Item: { ...key, bytes: new Uint8Array(bytes) } }));
}

/**
 * The lower bound of a run over HTTP: the DynamoDB calls of `POST /v1/run` in the same order, and nothing else. It
 * validates nothing, scores nothing and answers a constant. Like the service it stores the runs of an organisation in turn.
 */
export function bareRun(settings: { readonly endpoint: string; readonly tableName: string }): HttpHandler {
  const { endpoint, tableName: TableName } = settings;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint }));
  const bare: Bare = { client, common: { TableName, ReturnConsumedCapacity: 'TOTAL' } };
  const turns = new Map<string, Promise<void>>();

  return async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
    const key = event.headers.authorization?.slice('Bearer '.length) ?? '';
    const sha256 = createHash('sha256').update(key).digest('hex');
    const address = event.headers[VIEWER_ADDRESS_HEADER] ?? '';
    const [caller] = await Promise.all([readItem(bare, apiKeyKey(sha256)), countRequest(bare, address)]);
    const orgId = String(caller.org_id);
    const { suite } = JSON.parse(event.body ?? '');
    const head = await headOf(bare, orgId, suite);
    await readItem(bare, projectHeadKey(orgId, head.project_slug));
    const bytes = Number(event.headers[RESULTS_BYTES_HEADER] ?? 0);
    if (bytes > 0) await storeResults(bare, orgId, head, bytes);
    const createdAt = new Date().toISOString();
    const turn = (turns.get(orgId) ?? Promise.resolve()).then(async () =>
      storeRun(bare, orgId, head, { number: await takeNumber(bare, orgId, head, createdAt), at: createdAt }),
    );
    turns.set(orgId, turn);
    await turn;
    return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"status":"cleared"}' };
  };
}
