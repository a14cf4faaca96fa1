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
import { ORIGIN_SECRET_HEADER } from '../../../shared/contracts/base/edge.ts';
import type { Environment } from '../environments.ts';
import { exportAlways } from '../exportAlways.ts';
import { forwardedHeaders } from '../forwardedHeaders.ts';
import { inOrder } from '../variables.ts';
import type { ApiStack } from './api.ts';
import type { DataStack } from './data.ts';

/** CloudFront would repeat these answers for 10 s, to other callers and after what was missing has come. */
const STATUSES_OF_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];
/** Longer than the API's 30 s: it answers first, whatever happens. */
const ORIGIN_TIMEOUT_SECONDS = 35;

/** Where clients reach the service: nothing is cached, everything is counted, and only this may speak to the API. */
export class EdgeStack extends Stack {
  readonly distribution: Distribution;
  /** Where clients reach the service. */
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
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `evalgate ${name}, secrets ${secretsRevision}`,
      webAclId: webAcl.attrArn,
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        origin: new HttpOrigin(api.originDomain, {
          protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
          readTimeout: Duration.seconds(ORIGIN_TIMEOUT_SECONDS),
          customHeaders: { [ORIGIN_SECRET_HEADER]: secret.secretValue.unsafeUnwrap() },
        }),
        allowedMethods: AllowedMethods.ALLOW_ALL,
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        cachePolicy: this.#nothingCached(),
        originRequestPolicy: this.#onlyWhatIsRead(),
      },
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
   * `Authorization` is only forwarded as a part of the cache's key, and that takes a cache that lasts. A second is the
   * least; answers say `no-store`, so that none lasts at all, and if one did, the key would keep callers apart.
   */
  #nothingCached(): CachePolicy {
    return new CachePolicy(this, 'NothingCached', {
      minTtl: Duration.seconds(0),
      defaultTtl: Duration.seconds(0),
      maxTtl: Duration.seconds(1),
      headerBehavior: CacheHeaderBehavior.allowList('authorization'),
      queryStringBehavior: CacheQueryStringBehavior.all(),
      cookieBehavior: CacheCookieBehavior.none(),
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
