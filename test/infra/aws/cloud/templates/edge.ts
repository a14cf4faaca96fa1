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
    }),
  }),
});
const originRequestPolicySchema = z.object({
  OriginRequestPolicyConfig: z.object({ HeadersConfig: headersSchema }),
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
    ]),
  }),
});

export function edgeOf(made: Made): DeployedEdge {
  const distribution = made.only('AWS::CloudFront::Distribution');
  const { DefaultCacheBehavior, CacheBehaviors, Origins } = read(
    distribution,
    distributionSchema,
  ).DistributionConfig;
  const [{ Id, DomainName, OriginCustomHeaders }, bucket] = Origins;
  if (DefaultCacheBehavior.TargetOriginId !== Id) throw new Error('The edge does not lead to the API');
  checkOrigin(made.only('AWS::ApiGatewayV2::Api'), DomainName);
  const { CachePolicyId, OriginRequestPolicyId } = DefaultCacheBehavior;
  const cachePolicy = read(
    made.named('AWS::CloudFront::CachePolicy', 'Ref', CachePolicyId),
    cachePolicySchema,
  );
  const { HeadersConfig, EnableAcceptEncodingGzip } =
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
    pages: pagesOf(made, { distribution, behaviors: CacheBehaviors, origin: bucket }),
  };
}

function checkOrigin(api: Resource, domainName: string): void {
  const host = `${api.value('Ref')}.execute-api.${api.stack.region}.amazonaws.com`;
  if (domainName !== host) throw new Error(`The edge leads to ${domainName}, but the API is ${host}`);
}
