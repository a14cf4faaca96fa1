import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type Deployment, ServiceFunction, type ServiceFunctionProps } from './serviceFunction.ts';

export interface QueueWorkerProps extends ServiceFunctionProps {
  readonly queue: IQueue;
  readonly batchSize: number;
  /** At least 2. Further messages stay in the queue and are not received. */
  readonly invocationsMax: number;
}

/** A function that consumes a queue. Only the messages that it reports as failed are delivered again. */
export class QueueWorker extends ServiceFunction {
  constructor(scope: Construct, deployment: Deployment, props: QueueWorkerProps) {
    const { queue, batchSize, invocationsMax } = props;
    const receive = new PolicyStatement({
      actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
      resources: [queue.queueArn],
    });
    super(scope, deployment, { ...props, statements: [receive] });
    new EventSourceMapping(this, 'Messages', {
      target: this.lambda,
      eventSourceArn: queue.queueArn,
      batchSize,
      maxConcurrency: invocationsMax,
      reportBatchItemFailures: true,
    });
  }
}
