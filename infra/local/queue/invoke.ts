import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import type { QueueHandler } from '../../../shared/queue/consumer.ts';
import { EVALUATOR_TIMEOUT_SECONDS } from '../../../shared/queue/settings.ts';
import { describeError } from '../../../shared/runtime/log.ts';
import { lambdaContext } from '../http/functions.ts';
import { logLine } from '../log.ts';

const FUNCTION_TIMEOUT_MS = EVALUATOR_TIMEOUT_SECONDS * 1_000;

/** Invokes a queue's function with a batch and returns the failed records. Never throws. */
export async function invokeWithBatch(
  functionId: string,
  load: () => Promise<QueueHandler>,
  records: readonly SQSRecord[],
  timeoutMs = FUNCTION_TIMEOUT_MS,
): Promise<readonly SQSRecord[]> {
  const requestId = randomUUID();
  const deadline = new AbortController();
  try {
    const handler = await load();
    const context = lambdaContext(functionId, requestId, timeoutMs);
    const answer = await Promise.race([
      handler({ Records: [...records] }, context),
      delay(timeoutMs, undefined, { signal: deadline.signal }).then(() => {
        throw new Error(`${functionId} did not answer within ${timeoutMs} ms.`);
      }),
    ]);
    return failedOf(records, answer);
  } catch (error) {
    logLine('error', 'invocation_failed', {
      request_id: requestId,
      function: functionId,
      ...describeError(error),
    });
    return records;
  } finally {
    deadline.abort();
  }
}

/** Reads the answer like Lambda: none means no failures; an unknown id means that all failed. */
function failedOf(records: readonly SQSRecord[], answer: SQSBatchResponse | undefined): readonly SQSRecord[] {
  const failed = new Set(answer?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const known = records.filter(({ messageId }) => failed.has(messageId));
  return new Set(known.map(({ messageId }) => messageId)).size === failed.size ? known : records;
}
