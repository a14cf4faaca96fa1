import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type House, HouseFunction, type HouseFunctionProps } from './houseFunction.ts';

export interface QueueWorkerProps extends HouseFunctionProps {
  readonly queue: IQueue;
  readonly batchSize: number;
  /** At least 2. Beyond it messages wait in the queue, instead of being received in vain. */
  readonly invocationsMax: number;
}

/** A function that handles the messages of a queue; what it says failed comes back, the rest of the batch does not. */
export class QueueWorker extends HouseFunction {
  constructor(scope: Construct, house: House, props: QueueWorkerProps) {
    const { queue, batchSize, invocationsMax } = props;
    const receive = new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [queue.queueArn],
    });
    super(scope, house, { ...props, statements: [receive] });
    new EventSourceMapping(this, 'Messages', {
      target: this.lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: invocationsMax,
      reportBatchItemFailures: true,
    });
  }
}
