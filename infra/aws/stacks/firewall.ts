import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { ErrorCode } from '../../../shared/contracts/errors.ts';
import type { Environment } from '../environments.ts';

const TOO_MANY = 'too-many';
const RETRY_AFTER_SECONDS = 300;
const CODE: ErrorCode = 'RATE_LIMITED';

/**
 * The coarse shield in front of the exact limits: an address that floods costs nothing behind it. No rule looks into
 * bodies: the output of a model under test may look like any attack and must be judged all the same.
 */
export class FirewallStack extends Stack {
  readonly webAcl: CfnWebACL;

  constructor(scope: Construct, id: string, environment: Environment, props: StackProps) {
    super(scope, id, props);
    const error = {
      code: CODE,
      message: `This address has sent far too much: try again in ${RETRY_AFTER_SECONDS} seconds, as the header Retry-After says.`,
      details: { retry_after_seconds: RETRY_AFTER_SECONDS },
    };
    this.webAcl = new CfnWebACL(this, 'WebAcl', {
      name: `evalgate-${environment.name}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('All', environment),
      customResponseBodies: {
        [TOO_MANY]: { contentType: 'APPLICATION_JSON', content: JSON.stringify({ error }) },
      },
      rules: [tooManyRequests(environment), badReputation(environment)],
    });
  }
}

const visible = (name: string, environment: Environment) => ({
  cloudWatchMetricsEnabled: true,
  metricName: `evalgate-${environment.name}-${name}`,
  sampledRequestsEnabled: true,
});

const tooManyRequests = (environment: Environment): CfnWebACL.RuleProperty => ({
  name: 'TooManyRequests',
  priority: 0,
  statement: {
    rateBasedStatement: {
      aggregateKeyType: 'IP',
      evaluationWindowSec: 300,
      limit: environment.firewallRequestsPer5Minutes,
    },
  },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: TOO_MANY,
        responseHeaders: [{ name: 'Retry-After', value: String(RETRY_AFTER_SECONDS) }],
      },
    },
  },
  visibilityConfig: visible('TooManyRequests', environment),
});

/** Addresses that AWS knows as parts of botnets. */
const badReputation = (environment: Environment): CfnWebACL.RuleProperty => ({
  name: 'BadReputation',
  priority: 1,
  statement: {
    managedRuleGroupStatement: { vendorName: 'AWS', name: 'AWSManagedRulesAmazonIpReputationList' },
  },
  overrideAction: { none: {} },
  visibilityConfig: visible('BadReputation', environment),
});
