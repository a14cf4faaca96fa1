import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { EVALUATOR_BATCH_SIZE, EVALUATOR_TIMEOUT_SECONDS } from '../../../shared/queue/settings.ts';
import { PENDING_SHARDS, SUBSCRIBER_SHARDS } from '../../../shared/storage/table/keys.ts';
import { FUNCTION_MEMORY_MB } from '../../functionSizes.ts';
import { QueueWorker } from '../constructs/queueWorker.ts';
import { ScheduledFunction } from '../constructs/scheduledFunction.ts';
import { type Deployment, ServiceFunction } from '../constructs/serviceFunction.ts';
import { exportAlways } from '../exportAlways.ts';
import { OPERATOR, WORKERS } from '../functions.ts';
import { logGroup } from './api.ts';
import { DEAD_LETTERS_TIMEOUT_SECONDS } from './data.ts';

const DEAD_LETTERS_INVOCATIONS_MAX = 2;
/** Each may read a suite of any size, in the memory of one function. */
const DEAD_LETTERS_BATCH_SIZE = 1;
/** The sweeper stops itself after 50 s; by hand it asks for all pending runs. Simultaneous sweeps do no harm. */
const SWEEP_TIMEOUT_SECONDS = 300;
/** The purge stops itself after 120 s and the current step. */
const PURGE_TIMEOUT_SECONDS = 300;
/** The report stops itself after 14 minutes. */
const REPORT_TIMEOUT_SECONDS = 900;
/** A plan of an organisation with 1,000 API keys is set in all of them. */
const OPERATOR_TIMEOUT_SECONDS = 60;

/** The functions that no request waits for: consumers of the queues, scheduled functions, and the operator's. */
export class EvaluatorStack extends Stack {
  readonly functionLog: LogGroup;

  constructor(scope: Construct, id: string, deployment: Deployment, props: StackProps) {
    super(scope, id, props);
    const { environment, data } = deployment;
    const log = logGroup(this, 'FunctionLog', environment);
    this.functionLog = log;
    exportAlways(this, [log.logGroupName]);
    new QueueWorker(this, deployment, {
      functionId: WORKERS.evaluate,
      logGroup: log,
      queue: data.runs,
      memoryMegabytes: FUNCTION_MEMORY_MB.evaluator,
      timeoutSeconds: EVALUATOR_TIMEOUT_SECONDS,
      batchSize: EVALUATOR_BATCH_SIZE,
      invocationsMax: environment.evaluatorsMax,
      // Fewer than may be invoked at once would send messages to the dead letters unhandled.
      reservedExecutions: environment.runsMax === undefined ? undefined : environment.evaluatorsMax,
      repeatsItself: true,
    });
    new QueueWorker(this, deployment, {
      functionId: WORKERS.deadLetters,
      logGroup: log,
      queue: data.deadLetters,
      memoryMegabytes: FUNCTION_MEMORY_MB.scheduled,
      timeoutSeconds: DEAD_LETTERS_TIMEOUT_SECONDS,
      batchSize: DEAD_LETTERS_BATCH_SIZE,
      invocationsMax: DEAD_LETTERS_INVOCATIONS_MAX,
    });
    const everyMinute = { everyMinutes: 1, timeoutSeconds: SWEEP_TIMEOUT_SECONDS, isOn: true, logGroup: log };
    new ScheduledFunction(this, deployment, {
      functionId: WORKERS.sweep,
      shards: PENDING_SHARDS,
      ...everyMinute,
    });
    new ScheduledFunction(this, deployment, { functionId: WORKERS.resumeRetention, ...everyMinute });
    new ScheduledFunction(this, deployment, {
      functionId: WORKERS.purge,
      logGroup: log,
      everyMinutes: 60,
      timeoutSeconds: PURGE_TIMEOUT_SECONDS,
      isOn: true,
    });
    new ScheduledFunction(this, deployment, {
      functionId: WORKERS.reportOverage,
      logGroup: log,
      memoryMegabytes: FUNCTION_MEMORY_MB.reportOverage,
      shards: SUBSCRIBER_SHARDS,
      everyMinutes: 60,
      timeoutSeconds: REPORT_TIMEOUT_SECONDS,
      isOn: environment.payments !== undefined,
    });
    new ServiceFunction(this, deployment, {
      functionId: OPERATOR,
      logGroup: log,
      memoryMegabytes: FUNCTION_MEMORY_MB.scheduled,
      timeoutSeconds: OPERATOR_TIMEOUT_SECONDS,
    });
  }
}
