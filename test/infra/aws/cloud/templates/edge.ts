import * as z from 'zod';
import type { DeployedEdge } from '../deployed.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';
import { bucketOriginSchema, pageBehaviorSchema, pagesOf } from './pages.ts';

const headersSchema = z.strictObject({
  HeaderBehavior: z.literal('whitelist'),
  Headers: z.array(z.string()),
});

const cachePolicySchema = z.object({
  CachePolicyConfig: z.object({
    ParametersInCacheKeyAndForwardedToOrigin: z.object({
      EnableAcceptEncodingGzip: z.boolean(),
      HeadersConfig: headersSchema,
      CookiesConfig: z.strictObject({ CookieBehavior: z.literal('whitelist'), Cookies: z.array(z.string()) }),
    }),
  }),
});
const originRequestPolicySchema = z.object({
  OriginRequestPolicyConfig: z.object({ HeadersConfig: headersSchema }),
});

/** What the first origin lacks, or may not show, is asked of the second. */
const originGroupSchema = z.strictObject({
  Id: z.string(),
  FailoverCriteria: z.strictObject({
    StatusCodes: z.strictObject({ Items: z.tuple([z.literal(403), z.literal(404)]), Quantity: z.literal(2) }),
  }),
  Members: z.strictObject({
    Items: z.tuple([z.strictObject({ OriginId: z.string() }), z.strictObject({ OriginId: z.string() })]),
    Quantity: z.literal(2),
  }),
});

/** Strict in what decides where a request goes and what goes with it. */
const distributionSchema = z.object({
  DistributionConfig: z.object({
    Enabled: z.literal(true),
    CacheBehaviors: z.array(pageBehaviorSchema),
    DefaultCacheBehavior: z.strictObject({
      AllowedMethods: z.array(z.string()),
      CachePolicyId: z.string(),
      OriginRequestPolicyId: z.string(),
      TargetOriginId: z.string(),
      ViewerProtocolPolicy: z.literal('https-only'),
      Compress: z.boolean(),
    }),
    Origins: z.tuple([
      z.strictObject({
        Id: z.string(),
        DomainName: z.string(),
        CustomOriginConfig: z.unknown(),
        OriginCustomHeaders: z.array(z.strictObject({ HeaderName: z.string(), HeaderValue: z.string() })),
      }),
      bucketOriginSchema,
      bucketOriginSchema,
    ]),
    OriginGroups: z.strictObject({ Items: z.tuple([originGroupSchema]), Quantity: z.literal(1) }),
  }),
});

export function edgeOf(made: Made): DeployedEdge {
  const distribution = made.only('AWS::CloudFront::Distribution');
  const { DefaultCacheBehavior, CacheBehaviors, Origins, OriginGroups } = read(
    distribution,
    distributionSchema,
  ).DistributionConfig;
  const [{ Id, DomainName, OriginCustomHeaders }, ...buckets] = Origins;
  const [group] = OriginGroups.Items;
  const [first, second] = group.Members.Items.map(({ OriginId }) => OriginId);
  if (first !== buckets[1].Id || second !== Id)
    throw new Error('Assets must be of the bucket, then of the API');
  if (DefaultCacheBehavior.TargetOriginId !== Id) throw new Error('The edge does not lead to the API');
  checkOrigin(made.only('AWS::ApiGatewayV2::Api'), DomainName);
  const { CachePolicyId, OriginRequestPolicyId } = DefaultCacheBehavior;
  const cachePolicy = read(
    made.named('AWS::CloudFront::CachePolicy', 'Ref', CachePolicyId),
    cachePolicySchema,
  );
  const { HeadersConfig, CookiesConfig, EnableAcceptEncodingGzip } =
    cachePolicy.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
  const requestPolicy = read(
    made.named('AWS::CloudFront::OriginRequestPolicy', 'Ref', OriginRequestPolicyId),
    originRequestPolicySchema,
  ).OriginRequestPolicyConfig;
  const forwarded = [
    ...HeadersConfig.Headers,
    ...(EnableAcceptEncodingGzip ? ['accept-encoding'] : []),
    ...requestPolicy.HeadersConfig.Headers,
  ];
  return {
    headers: Object.fromEntries(
      OriginCustomHeaders.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]),
    ),
    forwardedHeaders: forwarded.map((name) => name.toLowerCase()),
    forwardedCookies: CookiesConfig.Cookies,
    ...pagesOf(made, { distribution, behaviors: CacheBehaviors, buckets, assets: group.Id }),
  };
}

function checkOrigin(api: Resource, domainName: string): void {
  const host = `${api.value('Ref')}.execute-api.${api.stack.region}.amazonaws.com`;
  if (domainName !== host) throw new Error(`The edge leads to ${domainName}, but the API is ${host}`);
}
