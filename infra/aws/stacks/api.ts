import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ACCESS_LOG } from '../accessLog.ts';
import type { Environment } from '../environments.ts';
import { exportAlways } from '../exportAlways.ts';

export class ApiStack extends Stack {
  readonly api: CfnApi;
  readonly accessLog: LogGroup;
  readonly functionLog: LogGroup;
  /** Host name of the API itself, which serves only the edge. */
  readonly originDomain: string;

  constructor(scope: Construct, id: string, environment: Environment, props: StackProps) {
    super(scope, id, props);
    this.api = new CfnApi(this, 'Api', {
      name: `evalgate-${environment.name}`,
      protocolType: 'HTTP',
      description: 'Every route is a contract; whatever matches none is the $default route',
    });
    this.accessLog = logGroup(this, 'AccessLog', environment);
    this.functionLog = logGroup(this, 'FunctionLog', environment);
    new CfnStage(this, 'Stage', {
      apiId: this.api.ref,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destinationArn: this.accessLog.logGroupArn,
        format: JSON.stringify(ACCESS_LOG),
      },
      defaultRouteSettings: {
        throttlingRateLimit: environment.apiRequestsPerSecond,
        throttlingBurstLimit: environment.apiRequestsBurst,
      },
    });
    this.originDomain = `${this.api.ref}.execute-api.${this.region}.${this.urlSuffix}`;
    const logs = [this.accessLog, this.functionLog];
    exportAlways(this, [
      this.api.ref,
      ...logs.flatMap(({ logGroupName, logGroupArn }) => [logGroupName, logGroupArn]),
    ]);
  }
}

export const logGroup = (scope: Construct, id: string, environment: Environment): LogGroup =>
  new LogGroup(scope, id, {
    retention: environment.logRetentionDays,
    removalPolicy: environment.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
