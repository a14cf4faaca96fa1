import type { SQSRecord } from 'aws-lambda';
import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import { handler as purge } from '../../functions/evaluator/purge.ts';
import { handler as resumeRetention } from '../../functions/evaluator/resumeRetention.ts';
import { lambdaContext } from '../../infra/local/http/functions.ts';
import type { WorkMessage } from '../../shared/domain/messages.ts';
import type { QueueHandler } from '../../shared/queue/consumer.ts';
import { writeMessage } from '../../shared/queue/messages.ts';
import type { Log } from '../../shared/runtime/log.ts';
import type { Runtime } from '../../shared/runtime/runtime.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import type { OwnService } from './ownService.ts';

/** The evaluator, stepped by the test, on the service's clock. */
export interface EvaluatorByHand {
  /** The waiting messages. */
  readonly messages: { readonly message: WorkMessage; readonly atMs: number }[];
  send(message: WorkMessage): void;
  /** Handles the oldest message, on another table if given. False: it failed and is lost. */
  step(table?: Table): Promise<boolean>;
  /** Handles all messages, moving the clock for delayed ones. Returns their number. */
  work(stepsMax?: number): Promise<number>;
  /** Runs the scheduled function; `when it stands still` as if the queue had lost its messages. */
  resume(how?: 'when it stands still'): Promise<number>;
  /** Runs the purge, on another table if given. */
  purge(table?: Table): Promise<number>;
}

export function evaluatorByHand({ runtime, table, clock }: OwnService): EvaluatorByHand {
  const { now } = runtime;
  const messages: EvaluatorByHand['messages'] = [];
  const queue = {
    async send(sent: readonly WorkMessage[], delaySeconds = 0) {
      for (const message of sent) messages.push({ message, atMs: now() + delaySeconds * 1_000 });
    },
  };
  const failures: unknown[] = [];
  const log: Log = (level, code, fields) => {
    if (code === 'message_failed') failures.push(fields?.stack);
    runtime.log(level, code, fields);
  };
  const runtimeOn = (on: Table): Runtime => ({ ...runtime, table: on, log });
  const own = evaluate.withRuntime(runtimeOn(table), { queue });
  const scheduled = resumeRetention.withRuntime(runtimeOn(table), { queue });

  async function step(on?: Table): Promise<boolean> {
    const next = messages.shift();
    if (next === undefined) throw new Error('no message waits');
    if (next.atMs > now()) clock.ms = next.atMs;
    const handler = on === undefined ? own : evaluate.withRuntime(runtimeOn(on), { queue });
    return invokeByHand(handler, next.message);
  }

  return {
    messages,
    send: (message) => void messages.push({ message, atMs: now() }),
    step,
    async work(stepsMax = 1_000) {
      let steps = 0;
      for (; messages.length > 0; steps++) {
        if (steps >= stepsMax) throw new Error(`more than ${stepsMax} messages`);
        if (!(await step())) throw new Error(`a message failed: ${failures.at(-1)}`);
      }
      return steps;
    },
    purge: (on = table) => purge.withRuntime(runtimeOn(on))({}),
    resume: (how) => scheduled(how === undefined ? { detail: { remindAfterMs: 0 } } : {}),
  };
}

/** False when the message failed. */
export async function invokeByHand(handler: QueueHandler, message: WorkMessage): Promise<boolean> {
  const { batchItemFailures } = await handler({ Records: [recordOf(message)] }, CONTEXT);
  return batchItemFailures.length === 0;
}

const CONTEXT = lambdaContext('evaluator/evaluate', 'by-hand', 60_000);

const recordOf = (message: WorkMessage): SQSRecord => ({
  messageId: 'by-hand',
  receiptHandle: 'by-hand',
  body: writeMessage(message),
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: 'by-hand',
    ApproximateFirstReceiveTimestamp: '0',
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:local:000000000000:evaluations',
  awsRegion: 'local',
});
