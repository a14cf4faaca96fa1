import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { contracts } from '../../../shared/contracts/registry.ts';
import { EndpointFunction, type Front } from '../constructs/endpointFunction.ts';
import type { Deployment } from '../constructs/serviceFunction.ts';
import { type EndpointStackName, stackOfEndpoint } from '../functions.ts';

export class EndpointsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    share: { readonly name: EndpointStackName; readonly deployment: Deployment; readonly front: Front },
    props: StackProps,
  ) {
    super(scope, id, props);
    for (const contract of contracts.filter((candidate) => stackOfEndpoint(candidate) === share.name)) {
      new EndpointFunction(this, share.deployment, share.front, contract);
    }
  }
}
