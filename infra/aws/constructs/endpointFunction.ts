import { CfnIntegration, CfnRoute } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Stack, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Contract } from '../../../shared/contracts/base/contract.ts';
import { createRun } from '../../../shared/contracts/runs.ts';
import { API_TIMEOUT_SECONDS, FUNCTION_MEMORY_MB } from '../../functionSizes.ts';
import { routeKeysOf } from '../functions.ts';
import { rightsOf } from '../rights/rights.ts';
import type { ApiStack } from '../stacks/api.ts';
import type { EdgeStack } from '../stacks/edge.ts';
import { endpointVariables } from '../variables.ts';
import { type Deployment, ServiceFunction } from './serviceFunction.ts';

export interface Front {
  readonly api: ApiStack;
  readonly edge: EdgeStack;
}

export class EndpointFunction extends ServiceFunction {
  constructor(
    scope: Construct,
    deployment: Deployment,
    { api: { api, functionLog }, edge }: Front,
    contract: Contract,
  ) {
    super(scope, deployment, {
      functionId: contract.id,
      logGroup: functionLog,
      memoryMegabytes: FUNCTION_MEMORY_MB.api,
      timeoutSeconds: API_TIMEOUT_SECONDS,
      reservedExecutions: contract.id === createRun.id ? deployment.environment.runsMax : undefined,
      variables: endpointVariables(rightsOf(contract.id), deployment.environment, {
        data: deployment.data,
        baseUrl: edge.baseUrl,
      }),
    });
    const { partition, region, account } = Stack.of(this);
    const integration = new CfnIntegration(this, 'Integration', {
      apiId: api.ref,
      integrationType: 'AWS_PROXY',
      integrationUri: this.lambda.functionArn,
      payloadFormatVersion: '2.0',
    });
    for (const routeKey of routeKeysOf(contract)) {
      const prefix = routeKey.startsWith('HEAD ') ? 'Head' : '';
      const route = new CfnRoute(this, `${prefix}Route`, {
        apiId: api.ref,
        routeKey,
        authorizationType: 'NONE',
        target: `integrations/${integration.ref}`,
      });
      Validations.of(route).acknowledge({
        id: 'AwsSolutions-APIG4',
        reason: 'Functions judge credentials themselves, by a consistent read: a revoked key fails at once.',
      });
      new CfnPermission(this, `${prefix}Permission`, {
        action: 'lambda:InvokeFunction',
        functionName: this.lambda.functionArn,
        principal: 'apigateway.amazonaws.com',
        sourceArn: `arn:${partition}:execute-api:${region}:${account}:${api.ref}/${permitted(routeKey)}`,
      });
    }
  }
}

/** Stage, method and path in the form of API Gateway's permissions; the default route matches all. */
const permitted = (routeKey: string): string =>
  routeKey === '$default' ? '*/*' : `*/${routeKey.replace(' ', '')}`;
