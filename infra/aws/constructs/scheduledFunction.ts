import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { FUNCTION_MEMORY_MB } from '../../functionSizes.ts';
import { type Deployment, ServiceFunction, type ServiceFunctionProps } from './serviceFunction.ts';

export interface ScheduledFunctionProps extends Omit<ServiceFunctionProps, 'memoryMegabytes'> {
  readonly memoryMegabytes?: number;
  readonly everyMinutes: number;
  /** Its work is cut into so many shards: each has a rule, and so an invocation, of its own. */
  readonly shards?: number;
  /** False: the schedule exists and is disabled. */
  readonly isOn: boolean;
}

/** A function that runs at intervals. A failed invocation is not repeated: the next interval does the work. */
export class ScheduledFunction extends ServiceFunction {
  constructor(scope: Construct, deployment: Deployment, props: ScheduledFunctionProps) {
    super(scope, deployment, { memoryMegabytes: FUNCTION_MEMORY_MB.scheduled, ...props });
    const once = { retryAttempts: 0, maxEventAge: Duration.minutes(1) };
    const addRule = (id: string, event?: RuleTargetInput) =>
      new Rule(this, id, {
        schedule: Schedule.rate(Duration.minutes(props.everyMinutes)),
        enabled: props.isOn,
        targets: [new LambdaFunction(this.lambda, { ...once, ...(event && { event }) })],
      });
    if (props.shards === undefined) addRule('Rule');
    for (let shard = 0; shard < (props.shards ?? 0); shard++) {
      addRule(`Rule${shard}`, RuleTargetInput.fromObject({ detail: { shard } }));
    }
    this.lambda.configureAsyncInvoke(once);
  }
}
