import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { contracts } from '../../../shared/contracts/registry.ts';
import { EndpointFunction, type Front } from '../constructs/endpointFunction.ts';
import type { House } from '../constructs/houseFunction.ts';
import { type EndpointStackName, stackOfEndpoint } from '../functions.ts';

/** A share of the endpoints: one function and one route for each contract. */
export class EndpointsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    share: { readonly name: EndpointStackName; readonly house: House; readonly front: Front },
    props: StackProps,
  ) {
    super(scope, id, props);
    for (const contract of contracts.filter((candidate) => stackOfEndpoint(candidate) === share.name)) {
      new EndpointFunction(this, share.house, share.front, contract);
    }
  }
}
