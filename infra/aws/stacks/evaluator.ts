import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { EVALUATOR_BATCH_SIZE, EVALUATOR_TIMEOUT_SECONDS } from '../../../shared/queue/settings.ts';
import { FUNCTION_MEMORY_MB } from '../../functionMemory.ts';
import type { House } from '../constructs/houseFunction.ts';
import { QueueWorker } from '../constructs/queueWorker.ts';
import { ScheduledFunction } from '../constructs/scheduledFunction.ts';
import { exportAlways } from '../exportAlways.ts';
import { WORKERS } from '../functions.ts';
import { logGroup } from './api.ts';
import { DEAD_LETTERS_TIMEOUT_SECONDS } from './data.ts';

/** Two is the least that Lambda takes. */
const DEAD_LETTERS_INVOCATIONS_MAX = 2;
const DEAD_LETTERS_BATCH_SIZE = 10;
/** Longer than a minute, since many pending runs take time: two sweeps at once do no harm. */
const SWEEP_TIMEOUT_SECONDS = 300;
/** It stops by itself after 120 s, and the step it is at. */
const PURGE_TIMEOUT_SECONDS = 300;
const REPORT_TIMEOUT_SECONDS = 900;

/** What no request waits for: the consumers of the queues, and what runs at intervals. */
export class EvaluatorStack extends Stack {
  readonly functionLog: LogGroup;

  constructor(scope: Construct, id: string, house: House, props: StackProps) {
    super(scope, id, props);
    const { environment, data } = house;
    const log = logGroup(this, 'FunctionLog', environment);
    this.functionLog = log;
    exportAlways(this, [log.logGroupName]);
    new QueueWorker(this, house, {
      functionId: WORKERS.evaluate,
      logGroup: log,
      queue: data.runs,
      memoryMegabytes: FUNCTION_MEMORY_MB.evaluator,
      timeoutSeconds: EVALUATOR_TIMEOUT_SECONDS,
      batchSize: EVALUATOR_BATCH_SIZE,
      invocationsMax: environment.evaluatorsMax,
      repeatsItself: true,
    });
    new QueueWorker(this, house, {
      functionId: WORKERS.deadLetters,
      logGroup: log,
      queue: data.deadLetters,
      memoryMegabytes: FUNCTION_MEMORY_MB.scheduled,
      timeoutSeconds: DEAD_LETTERS_TIMEOUT_SECONDS,
      batchSize: DEAD_LETTERS_BATCH_SIZE,
      invocationsMax: DEAD_LETTERS_INVOCATIONS_MAX,
    });
    const everyMinute = { everyMinutes: 1, timeoutSeconds: SWEEP_TIMEOUT_SECONDS, isOn: true, logGroup: log };
    new ScheduledFunction(this, house, { functionId: WORKERS.sweep, ...everyMinute });
    new ScheduledFunction(this, house, { functionId: WORKERS.resumeRetention, ...everyMinute });
    new ScheduledFunction(this, house, {
      functionId: WORKERS.purge,
      logGroup: log,
      everyMinutes: 60,
      timeoutSeconds: PURGE_TIMEOUT_SECONDS,
      isOn: true,
    });
    new ScheduledFunction(this, house, {
      functionId: WORKERS.reportOverage,
      logGroup: log,
      everyMinutes: 60,
      timeoutSeconds: REPORT_TIMEOUT_SECONDS,
      isOn: environment.payments !== undefined,
    });
  }
}
