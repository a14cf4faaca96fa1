import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ERROR_STATUS, type ErrorCode } from '../../../shared/contracts/base/errors.ts';
import type { Environment } from '../environments.ts';

const RETRY_AFTER_SECONDS = 300;

/** The firewall's answers, in the service's error envelope, by the key of their response body. */
const ANSWERS = {
  'too-many': {
    code: 'RATE_LIMITED',
    message: `This address has sent far too much: try again in ${RETRY_AFTER_SECONDS} seconds, as the header Retry-After states.`,
    details: { retry_after_seconds: RETRY_AFTER_SECONDS },
  },
  'bad-reputation': {
    code: 'ADDRESS_BLOCKED',
    message:
      'This address is on a list of attacking addresses: try again from another one, such as by running the job again, or tell the operator.',
  },
} as const satisfies Record<string, { code: ErrorCode; message: string; details?: object }>;
type Answer = keyof typeof ANSWERS;

/** The blocking lists of the rule group; its other list only counts. */
const BAD_REPUTATION = ['AWSManagedIPReputationList', 'AWSManagedReconnaissanceList'];

/**
 * A coarse limit in front of the service's exact ones: a flood from one address costs nothing behind it. No rule
 * inspects bodies: a model's output may look like an attack and must still be judged.
 */
export class FirewallStack extends Stack {
  readonly webAcl: CfnWebACL;

  constructor(scope: Construct, id: string, environment: Environment, props: StackProps) {
    super(scope, id, props);
    const bodies = Object.entries(ANSWERS).map(([key, error]) => [
      key,
      { contentType: 'APPLICATION_JSON', content: JSON.stringify({ error }) },
    ]);
    this.webAcl = new CfnWebACL(this, 'WebAcl', {
      name: `evalgate-${environment.name}`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible('All', environment),
      customResponseBodies: Object.fromEntries(bodies),
      rules: [tooManyRequests(environment), badReputation(environment)],
    });
  }
}

function blockWith(
  answer: Answer,
  headers: Readonly<Record<string, string>> = {},
): CfnWebACL.RuleActionProperty {
  return {
    block: {
      customResponse: {
        responseCode: ERROR_STATUS[ANSWERS[answer].code],
        customResponseBodyKey: answer,
        responseHeaders: [
          { name: 'Cache-Control', value: 'no-store' },
          ...Object.entries(headers).map(([name, value]) => ({ name, value })),
        ],
      },
    },
  };
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
  action: blockWith('too-many', { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
  visibilityConfig: visible('TooManyRequests', environment),
});

/** Blocks addresses that AWS lists as parts of botnets. */
const badReputation = (environment: Environment): CfnWebACL.RuleProperty => ({
  name: 'BadReputation',
  priority: 1,
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name: 'AWSManagedRulesAmazonIpReputationList',
      // Blocks as the rules do by default, with an answer that states the reason.
      ruleActionOverrides: BAD_REPUTATION.map((name) => ({ name, actionToUse: blockWith('bad-reputation') })),
    },
  },
  overrideAction: { none: {} },
  visibilityConfig: visible('BadReputation', environment),
});
