import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bundleName } from '../bundle/bundle.ts';
import type { Environment } from '../environments.ts';
import { constructId, functionName } from '../functions.ts';
import { rightsOf } from '../rights/rights.ts';
import { statementsOf } from '../rights/statements.ts';
import type { DataStack } from '../stacks/data.ts';
import { variablesOf } from '../variables.ts';

/** The code of a function: its bundle, or a placeholder in tests. */
export type CodeOf = (functionId: string) => Code;

export interface Deployment {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly codeOf: CodeOf;
}

export interface ServiceFunctionProps {
  readonly functionId: string;
  readonly logGroup: ILogGroup;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly statements?: readonly PolicyStatement[];
  /** Executions that the function has to itself, and no more than these. */
  readonly reservedExecutions?: number | undefined;
  /** The function sends messages to the queue that invokes it; its own code bounds how often. */
  readonly repeatsItself?: true;
}

/** A Lambda function with its own role, which has exactly the function's rights. */
export class ServiceFunction extends Construct {
  readonly functionId: string;
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, deployment: Deployment, props: ServiceFunctionProps) {
    super(scope, constructId(props.functionId));
    this.functionId = props.functionId;
    const { environment, data, codeOf } = deployment;
    const rights = rightsOf(props.functionId);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        rights: new PolicyDocument({
          statements: [
            writeLogs(props.logGroup),
            ...(environment.isTraced ? [TRACE()] : []),
            ...statementsOf(rights, data),
            ...(props.statements ?? []),
          ],
        }),
      },
    });
    if (environment.isTraced) allowTracing(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: functionName(environment.name, props.functionId),
      description: `functions/${props.functionId}.ts`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: codeOf(props.functionId),
      handler: `${bundleName(props.functionId)}.handler`,
      memorySize: props.memoryMegabytes,
      timeout: Duration.seconds(props.timeoutSeconds),
      tracing: environment.isTraced ? Tracing.ACTIVE : Tracing.DISABLED,
      logGroup: props.logGroup,
      ...(props.reservedExecutions !== undefined && {
        reservedConcurrentExecutions: props.reservedExecutions,
      }),
      // By default Lambda stops a function that invokes itself 16 times through a queue.
      ...(props.repeatsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      // Other constructs cannot add statements to the role.
      role: role.withoutPolicyUpdates(),
      environment: { ...variablesOf(rights, environment, data), ...props.variables },
    });
  }
}

export const writeLogs = ({ logGroupArn }: ILogGroup): PolicyStatement =>
  new PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] });

const TRACE = (): PolicyStatement =>
  new PolicyStatement({
    actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    resources: ['*'],
  });

function allowTracing(role: Role): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray knows no resources: its two write actions can only be allowed on all.',
  });
}
