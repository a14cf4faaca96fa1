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

/** Where the code of a function is: its bundle, or in tests something that is faster to make. */
export type CodeOf = (functionId: string) => Code;

/** What every function of a deployment is made with. */
export interface House {
  readonly environment: Environment;
  readonly data: DataStack;
  readonly codeOf: CodeOf;
}

export interface HouseFunctionProps {
  readonly functionId: string;
  readonly logGroup: ILogGroup;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly variables?: Readonly<Record<string, string>>;
  readonly statements?: readonly PolicyStatement[];
  /** It sends messages to the queue that invokes it, and knows itself when to stop. */
  readonly repeatsItself?: true;
}

/** A function of the house with a role of its own that holds its rights and nothing else. */
export class HouseFunction extends Construct {
  readonly functionId: string;
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, house: House, props: HouseFunctionProps) {
    super(scope, constructId(props.functionId));
    this.functionId = props.functionId;
    const { environment, data, codeOf } = house;
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
      // Lambda ends what looks like an endless loop after 16 rounds.
      ...(props.repeatsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      // Nothing adds to it unseen.
      role: role.withoutPolicyUpdates(),
      environment: { ...variablesOf(rights, environment, data), ...props.variables },
    });
  }
}

const writeLogs = ({ logGroupArn }: ILogGroup): PolicyStatement =>
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
