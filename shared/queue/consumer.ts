import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { RetainMessage, type WorkMessage } from '../domain/messages.ts';
import { describeError } from '../runtime/log.ts';
import { type Runtime, runtimeFromEnv } from '../runtime/runtime.ts';
import { readMessage } from './messages.ts';

export type QueueHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

interface Consumer<Deps> {
  readonly dependencies: (runtime: Runtime) => Deps;
  readonly handle: (message: WorkMessage, deps: Deps) => Promise<void>;
  /** An invalid message can never succeed: it fails until it is in the dead-letter queue, whose consumer drops it. */
  readonly invalid?: 'fail' | 'drop';
}

/** Only failed messages of a batch are delivered again. `withRuntime` takes another table, clock or log. */
export function queueConsumer<Deps>(
  consumer: Consumer<Deps>,
): QueueHandler & { withRuntime(runtime: Runtime, overrides?: Partial<Deps>): QueueHandler } {
  let built: QueueHandler | undefined;
  const handler: QueueHandler = (event, context) => {
    built ??= build(consumer, runtimeFromEnv());
    return built(event, context);
  };
  return Object.assign(handler, {
    withRuntime: (runtime: Runtime, overrides: Partial<Deps> = {}) => build(consumer, runtime, overrides),
  });
}

function build<Deps>(
  consumer: Consumer<Deps>,
  runtime: Runtime,
  overrides: Partial<Deps> = {},
): QueueHandler {
  const { log, now, table } = runtime;
  const deps = { ...consumer.dependencies(runtime), ...overrides };

  return async ({ Records }, { awsRequestId, functionName }) => {
    const startedAt = now();
    const before = table.consumed();
    const runIds = new Set<string>();
    const seen = (message: WorkMessage) => void ('run_id' in message && runIds.add(message.run_id));
    const outcomes = await Promise.all(
      Records.map((record) => handleRecord(record, { consumer, deps, seen }, runtime)),
    );
    const failed = Records.filter((_, index) => outcomes[index] === false);
    const after = table.consumed();
    log('info', 'batch_completed', {
      request_id: awsRequestId,
      function: functionName,
      messages: Records.length,
      failed: failed.length,
      run_ids: [...runIds],
      duration_ms: Math.round(now() - startedAt),
      read_units: after.read - before.read,
      write_units: after.write - before.write,
    });
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** Reads and handles one message. False: it is to be delivered again. */
async function handleRecord<Deps>(
  record: SQSRecord,
  batch: {
    readonly consumer: Consumer<Deps>;
    readonly deps: Deps;
    readonly seen: (message: WorkMessage) => void;
  },
  { log }: Runtime,
): Promise<boolean> {
  const { consumer, deps, seen } = batch;
  const delivery = {
    message_id: record.messageId,
    receives: Number(record.attributes.ApproximateReceiveCount),
  };
  let message: WorkMessage;
  try {
    message = readMessage(record.body);
  } catch (error) {
    const dropped = consumer.invalid === 'drop';
    log('error', 'message_invalid', { ...delivery, dropped, ...describeError(error) });
    return dropped;
  }
  seen(message);
  try {
    await consumer.handle(message, deps);
    return true;
  } catch (error) {
    if (error instanceof RetainMessage) {
      log('info', 'message_retained', { ...delivery, ...message, reason: error.message });
    } else {
      log('error', 'message_failed', { ...delivery, ...message, ...describeError(error) });
    }
    return false;
  }
}
