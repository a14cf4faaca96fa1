import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Duration } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { FUNCTION_MEMORY_MB } from '../../functionMemory.ts';
import { type House, HouseFunction, type HouseFunctionProps } from './houseFunction.ts';

export interface ScheduledFunctionProps extends Omit<HouseFunctionProps, 'memoryMegabytes'> {
  readonly everyMinutes: number;
  /** Off for what a deployment has no use for. */
  readonly isOn: boolean;
}

/** A function that runs at intervals. A run that fails is not repeated: the next one is coming. */
export class ScheduledFunction extends HouseFunction {
  constructor(scope: Construct, house: House, props: ScheduledFunctionProps) {
    super(scope, house, { ...props, memoryMegabytes: FUNCTION_MEMORY_MB.scheduled });
    const interval = Duration.minutes(props.everyMinutes);
    new Rule(this, 'Rule', {
      schedule: Schedule.rate(interval),
      enabled: props.isOn,
      targets: [new LambdaFunction(this.lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
    });
    this.lambda.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  }
}
