import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ORIGIN_SECRET_HEADER, SESSION_COOKIE, SIGN_IN_COOKIE } from '../../../shared/contracts/base/edge.ts';
import { Pages } from '../constructs/pages.ts';
import type { Environment } from '../environments.ts';
import { exportAlways } from '../exportAlways.ts';
import { forwardedHeaders } from '../forwardedHeaders.ts';
import { inOrder } from '../variables.ts';
import { type ApiStack, logGroup } from './api.ts';
import type { DataStack } from './data.ts';

/** By default CloudFront caches these answers for 10 s, for all callers. */
const STATUSES_OF_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
/** Longer than the API's 30 s, so that the API's own answer arrives. */
const ORIGIN_TIMEOUT_SECONDS = 35;

/** CloudFront in front of the API. It caches no answers, counts every request, and alone may call the API. */
export class EdgeStack extends Stack {
  readonly distribution: Distribution;
  /** The service's public address. */
  readonly baseUrl: string;

  constructor(
    scope: Construct,
    id: string,
    parts: {
      readonly environment: Environment;
      readonly data: DataStack;
      readonly api: ApiStack;
      readonly webAcl: CfnWebACL;
    },
    props: StackProps,
  ) {
    super(scope, id, props);
    const { environment, data, api, webAcl } = parts;
    const { name, originSecret, domain, secretsRevision } = environment;
    const [secret] = inOrder(originSecret, data.originSecrets);
    const origin = new HttpOrigin(api.originDomain, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      readTimeout: Duration.seconds(ORIGIN_TIMEOUT_SECONDS),
      customHeaders: { [ORIGIN_SECRET_HEADER]: secret.secretValue.unsafeUnwrap() },
    });
    const uploadLog = logGroup(this, 'UploadLog', environment);
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `evalgate ${name}, secrets ${secretsRevision}`,
      webAclId: webAcl.attrArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: this.#nothingCached(),
        originRequestPolicy: this.#onlyWhatIsRead(),
      },
      additionalBehaviors: new Pages(this, environment, { api: origin, logGroup: uploadLog }).behaviors,
      errorResponses: STATUSES_OF_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      }),
    });
    this.#explain(environment);
    const { distributionDomainName } = this.distribution;
    this.baseUrl = `https://${domain?.name ?? distributionDomainName}`;
    exportAlways(this, [distributionDomainName]);
    new CfnOutput(this, 'BaseUrl', { value: this.baseUrl });
    new CfnOutput(this, 'OriginUrl', { value: `https://${api.originDomain}` });
  }

  /**
   * CloudFront forwards `Authorization`, and the cookie of sessions, as part of the cache key, which requires a maximum
   * age of at least a second. Answers say `no-store`, so nothing is cached; even if it were, the key separates callers.
   */
  #nothingCached(): CachePolicy {
    return new CachePolicy(this, 'NothingCached', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(1),
      headerBehavior: CacheHeaderBehavior.allowList('authorization'),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      cookieBehavior: CacheCookieBehavior.allowList(SESSION_COOKIE, SIGN_IN_COOKIE),
      enableAcceptEncodingGzip: true,
    });
  }

  #onlyWhatIsRead(): OriginRequestPolicy {
    return new OriginRequestPolicy(this, 'OnlyWhatIsRead', {
      headerBehavior: OriginRequestHeaderBehavior.allowList(...forwardedHeaders()),
      queryStringBehavior: OriginRequestQueryStringBehavior.all(),
      cookieBehavior: OriginRequestCookieBehavior.none(),
    });
  }

  #explain({ domain }: Environment): void {
    const acknowledge = (id: string, reason: string) =>
      Validations.of(this.distribution).acknowledge({ id: `AwsSolutions-${id}`, reason });
    acknowledge('CFR1', 'CI jobs call from wherever their runners are.');
    acknowledge(
      'CFR3',
      "The API's access log has every request that passes, the firewall's metrics the others.",
    );
    if (domain === undefined) {
      acknowledge(
        'CFR4',
        "CloudFront's own certificate fixes the policy: with a domain of your own it is TLS 1.2.",
      );
    }
  }
}
