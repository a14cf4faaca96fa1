import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { DeployedPage } from '../deployed.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';

/** Strict in what decides which file is answered, and with which headers. */
export const pageBehaviorSchema = z.strictObject({
  PathPattern: z.string().regex(/^[^*?]+$/),
  AllowedMethods: z.tuple([z.literal('GET'), z.literal('HEAD')]),
  TargetOriginId: z.string(),
  ResponseHeadersPolicyId: z.string(),
  CachePolicyId: z.string(),
  ViewerProtocolPolicy: z.literal('https-only'),
  Compress: z.literal(true),
});

export const bucketOriginSchema = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginAccessControlId: z.string(),
  S3OriginConfig: z.strictObject({ OriginAccessIdentity: z.literal('') }),
});

interface PagesOfEdge {
  readonly distribution: Resource;
  readonly behaviors: readonly z.output<typeof pageBehaviorSchema>[];
  readonly origin: z.output<typeof bucketOriginSchema>;
}

/** What the edge answers from the bucket, by path. */
export function pagesOf(made: Made, edge: PagesOfEdge): ReadonlyMap<string, DeployedPage> {
  const { distribution, behaviors, origin } = edge;
  const bucket = made.named('AWS::S3::Bucket', 'RegionalDomainName', origin.DomainName);
  made.named('AWS::CloudFront::OriginAccessControl', 'Id', origin.OriginAccessControlId);
  checkReadable(made, bucket, distribution);
  return new Map(
    behaviors.map(({ PathPattern, TargetOriginId, ResponseHeadersPolicyId }) => {
      if (TargetOriginId !== origin.Id) throw new Error(`${PathPattern} leads to ${TargetOriginId}`);
      const { type, ...object } = uploaded(made, bucket, PathPattern.slice(1));
      const headers = { ...headersOf(made, ResponseHeadersPolicyId), 'content-type': type };
      return [PathPattern, { headers, ...object }];
    }),
  );
}

const policySchema = z.object({
  Bucket: z.string(),
  PolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
});

function checkReadable(made: Made, bucket: Resource, distribution: Resource): void {
  const { Bucket, PolicyDocument } = read(made.only('AWS::S3::BucketPolicy'), policySchema);
  const wanted = JSON.stringify({
    Action: 's3:GetObject',
    Condition: { StringEquals: { 'AWS:SourceArn': distribution.value('Arn') } },
    Effect: 'Allow',
    Principal: { Service: 'cloudfront.amazonaws.com' },
    Resource: `${bucket.value('Arn')}/*`,
  });
  const isAllowed = PolicyDocument.Statement.some((statement) => JSON.stringify(statement) === wanted);
  if (Bucket !== bucket.value('Ref') || !isAllowed) throw new Error('The edge may not read the bucket');
}

const uploadSchema = z.object({
  DestinationBucketName: z.string(),
  DestinationBucketKeyPrefix: z.undefined().optional(),
  SourceObjectKeys: z.tuple([z.string()]),
  Exclude: z.tuple([z.literal('*')]),
  Include: z.tuple([z.string()]),
  Prune: z.literal(false),
  SystemMetadata: z.strictObject({ 'content-type': z.string() }),
});

/** The object that the deployment puts into the bucket under this key. */
function uploaded(
  made: Made,
  bucket: Resource,
  key: string,
): Omit<DeployedPage, 'headers'> & { type: string } {
  const uploads = made.ofType('Custom::CDKBucketDeployment').map((resource) => {
    return { resource, upload: read(resource, uploadSchema) };
  });
  const found = uploads.find(
    ({ upload }) => upload.Include[0] === key && upload.DestinationBucketName === bucket.value('Ref'),
  );
  if (found === undefined) throw new Error(`Nothing is uploaded as ${key}`);
  const { resource, upload } = found;
  const folder = resource.stack.assets.get(upload.SourceObjectKeys[0]) ?? '';
  return {
    type: upload.SystemMetadata['content-type'],
    body: readFileSync(path.join(folder, key), 'base64'),
    isBase64Encoded: true,
  };
}

const overriding = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject({ ...shape, Override: z.literal(true) });

const headersSchema = z.object({
  ResponseHeadersPolicyConfig: z.strictObject({
    Name: z.string(),
    CustomHeadersConfig: z.strictObject({
      Items: z.array(overriding({ Header: z.string(), Value: z.string() })),
    }),
    SecurityHeadersConfig: z.strictObject({
      ContentSecurityPolicy: overriding({ ContentSecurityPolicy: z.string() }),
      ContentTypeOptions: overriding({}),
      ReferrerPolicy: overriding({ ReferrerPolicy: z.string() }),
      StrictTransportSecurity: overriding({
        AccessControlMaxAgeSec: z.int(),
        IncludeSubdomains: z.literal(false),
      }),
    }),
  }),
});

/** As CloudFront writes them. */
function headersOf(made: Made, policyId: string): Record<string, string> {
  const policy = made.named('AWS::CloudFront::ResponseHeadersPolicy', 'Ref', policyId);
  const { CustomHeadersConfig, SecurityHeadersConfig: security } = read(
    policy,
    headersSchema,
  ).ResponseHeadersPolicyConfig;
  return {
    ...Object.fromEntries(CustomHeadersConfig.Items.map(({ Header, Value }) => [Header, Value])),
    'content-security-policy': security.ContentSecurityPolicy.ContentSecurityPolicy,
    'referrer-policy': security.ReferrerPolicy.ReferrerPolicy,
    'strict-transport-security': `max-age=${security.StrictTransportSecurity.AccessControlMaxAgeSec}`,
    'x-content-type-options': 'nosniff',
  };
}
