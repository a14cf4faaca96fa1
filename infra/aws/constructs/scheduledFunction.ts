import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { FUNCTION_MEMORY_MB } from '../../functionSizes.ts';
import { type Deployment, ServiceFunction, type ServiceFunctionProps } from './serviceFunction.ts';

export interface ScheduledFunctionProps extends Omit<ServiceFunctionProps, 'memoryMegabytes'> {
  readonly everyMinutes: number;
  /** False: the schedule exists and is disabled. */
  readonly isOn: boolean;
}

/** A function that runs at intervals. A failed invocation is not repeated: the next interval does the work. */
export class ScheduledFunction extends ServiceFunction {
  constructor(scope: Construct, deployment: Deployment, props: ScheduledFunctionProps) {
    super(scope, deployment, { ...props, memoryMegabytes: FUNCTION_MEMORY_MB.scheduled });
    const interval = Duration.minutes(props.everyMinutes);
    new Rule(this, 'Rule', {
      schedule: Schedule.rate(interval),
      enabled: props.isOn,
      targets: [new LambdaFunction(this.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    this.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  }
}
