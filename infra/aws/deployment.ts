import { type App, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { CodeOf, Deployment } from './constructs/serviceFunction.ts';
import type { Environment } from './environments.ts';
import { ENDPOINT_STACKS } from './functions.ts';
import { ApiStack } from './stacks/api.ts';
import { DataStack } from './stacks/data.ts';
import { EdgeStack } from './stacks/edge.ts';
import { EndpointsStack } from './stacks/endpoints.ts';
import { EvaluatorStack } from './stacks/evaluator.ts';
import { FirewallStack } from './stacks/firewall.ts';
import { ObservabilityStack } from './stacks/observability.ts';

/** The only region of CloudFront's firewalls. */
const FIREWALL_REGION = 'us-east-1';

/** All stacks of an environment. The templates depend on this repository only: nothing is looked up in the account. */
export function deploymentOf(app: App, environment: Environment, codeOf: CodeOf): void {
  Tags.of(app).add('service', 'evalgate');
  Tags.of(app).add('environment', environment.name);

  const stackName = (part: string): string => `evalgate-${environment.name}-${part}`;
  const props = (description: string, region = environment.region): StackProps => ({
    description: `evalgate ${environment.name}: ${description}`,
    env: { region, ...(process.env.CDK_DEFAULT_ACCOUNT && { account: process.env.CDK_DEFAULT_ACCOUNT }) },
    crossRegionReferences: environment.region !== FIREWALL_REGION,
    terminationProtection: environment.keepsData,
  });

  const data = new DataStack(app, stackName('data'), environment, props('table, queues, keys and secrets'));
  const deployment: Deployment = { environment, data, codeOf };
  const api = new ApiStack(app, stackName('api'), environment, props('HTTP API'));
  const evaluator = new EvaluatorStack(
    app,
    stackName('evaluator'),
    deployment,
    props('evaluator and sweepers'),
  );
  const { webAcl } = new FirewallStack(
    app,
    stackName('firewall'),
    environment,
    props('firewall', FIREWALL_REGION),
  );
  const edge = new EdgeStack(app, stackName('edge'), { environment, data, api, webAcl }, props('CloudFront'));
  for (const name of ENDPOINT_STACKS) {
    const endpoints = new EndpointsStack(
      app,
      stackName(name),
      { name, deployment, front: { api, edge } },
      props(`endpoints, ${name}`),
    );
    // The evaluator must understand a new kind of message before an endpoint sends it.
    endpoints.addStackDependency(evaluator);
  }
  new ObservabilityStack(
    app,
    stackName('observability'),
    { environment, data, api, evaluator },
    props('alarms and dashboard'),
  );
}
