import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type EventSource, startEventSource } from '../../../../infra/local/queue/eventSource.ts';
import { invokeWithBatch } from '../../../../infra/local/queue/invoke.ts';
import type { QueueHandler } from '../../../../shared/queue/consumer.ts';
import { queueReader } from '../../../../shared/queue/queueReader.ts';
import type { Deployed, DeployedEventSource } from './deployed.ts';
import type { Credentials } from './functionProcess.ts';

export interface EventSources {
  /** Receives nothing more; settles when all that was received is handled. */
  stop(): Promise<void>;
}

export interface EventSourceHost {
  /** Receives and deletes by the function's own rights, like Lambda. */
  readonly frontUrl: string;
  /** The engine itself. */
  readonly sqsUrl: string;
  readonly credentialsOf: (functionId: string) => Credentials;
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
  /** Failed messages come back after this, because tests cannot wait for the visibility timeout. */
  readonly retryDelaySeconds: number | undefined;
}

/** The engine takes any. */
const ANY_CREDENTIALS: Credentials = { accessKeyId: 'any', secretAccessKey: 'any', sessionToken: 'any' };

/** Hands the messages of queues to functions by the template's event source mappings. */
export async function startEventSources(deployed: Deployed, host: EventSourceHost): Promise<EventSources> {
  const { region } = deployed;
  const mappings = deployed.eventSources.map((mapping) => ({
    mapping,
    role: new SQSClient({
      region,
      endpoint: host.frontUrl,
      credentials: host.credentialsOf(mapping.functionId),
    }),
  }));
  const engine = new SQSClient({ region, endpoint: host.sqsUrl, credentials: ANY_CREDENTIALS });
  const destroy = () => {
    for (const client of [engine, ...mappings.map(({ role }) => role)]) client.destroy();
  };
  try {
    for (const { mapping, role } of mappings) await checkVisibility(deployed, host, mapping, role);
  } catch (error) {
    destroy();
    throw error;
  }
  const sources = await Promise.all(
    mappings.map(({ mapping, role }) => startMapping(deployed, host, mapping, { role, engine })),
  );
  return {
    async stop() {
      await Promise.all(sources.map((source) => source.stop()));
      destroy();
    },
  };
}

async function startMapping(
  { account }: Deployed,
  host: EventSourceHost,
  { functionId, queueArn: arn, batchSize, invocationsMax }: DeployedEventSource,
  { role, engine }: { readonly role: SQSClient; readonly engine: SQSClient },
): Promise<EventSource> {
  const [roles, engines] = [
    { url: urlOf(host, account, arn), arn, endpoint: host.frontUrl },
    {
      url: (await engine.send(new GetQueueUrlCommand({ QueueName: nameOf(arn) }))).QueueUrl ?? '',
      arn,
      endpoint: host.sqsUrl,
    },
  ];
  const handler = (event: unknown) => host.invoke(functionId, event) as ReturnType<QueueHandler>;
  return startEventSource({
    reader: { ...queueReader(roles, role), putBack: queueReader(engines, engine).putBack },
    invoke: (records) => invokeWithBatch(functionId, async () => handler, records),
    batchSize,
    messagesInFlightMax: batchSize * invocationsMax,
    ...(host.retryDelaySeconds !== undefined && { retryDelaySeconds: host.retryDelaySeconds }),
  });
}

const nameOf = (arn: string): string => arn.split(':').at(-1) ?? '';
const urlOf = ({ frontUrl }: EventSourceHost, account: string, arn: string): string =>
  `${frontUrl}/${account}/${nameOf(arn)}`;

/** Like AWS, refuses a mapping whose visibility timeout is below the function's timeout. */
async function checkVisibility(
  { account, functions }: Deployed,
  host: EventSourceHost,
  { functionId, queueArn }: DeployedEventSource,
  role: SQSClient,
): Promise<void> {
  const QueueUrl = urlOf(host, account, queueArn);
  const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['VisibilityTimeout'] });
  const visibleAfterSeconds = Number((await role.send(asked)).Attributes?.VisibilityTimeout);
  const { timeoutSeconds = 0 } = functions.get(functionId) ?? {};
  if (visibleAfterSeconds >= timeoutSeconds) return;
  throw new Error(
    `Queue visibility timeout: ${visibleAfterSeconds} seconds is less than Function timeout: ${timeoutSeconds} seconds`,
  );
}
