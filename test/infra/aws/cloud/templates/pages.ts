import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import type { DeployedEdge, EdgeAnswer } from '../deployed.ts';
import type { Resource } from './cloudFormation.ts';
import { type Made, read } from './made.ts';

/** Strict in what decides which file is answered, and with which headers. */
export const pageBehaviorSchema = z.strictObject({
  PathPattern: z.string().regex(/^[^*?]+\*?$/),
  AllowedMethods: z.array(z.string()),
  FunctionAssociations: z
    .tuple([z.strictObject({ EventType: z.literal('viewer-request'), FunctionARN: z.string() })])
    .optional(),
  TargetOriginId: z.string(),
  ResponseHeadersPolicyId: z.string(),
  CachePolicyId: z.string(),
  ViewerProtocolPolicy: z.literal('https-only'),
  Compress: z.literal(true),
});
type Behavior = z.output<typeof pageBehaviorSchema>;

export const bucketOriginSchema = z.strictObject({
  Id: z.string(),
  DomainName: z.string(),
  OriginAccessControlId: z.string(),
  S3OriginConfig: z.strictObject({ OriginAccessIdentity: z.literal('') }),
});

interface PagesOfEdge {
  readonly distribution: Resource;
  readonly behaviors: readonly Behavior[];
  readonly buckets: readonly z.output<typeof bucketOriginSchema>[];
  /** The id of the group whose second origin is the API. */
  readonly assets: string;
}

/** What the edge answers from the bucket. */
export function pagesOf(made: Made, edge: PagesOfEdge): Pick<DeployedEdge, 'patterns' | 'answer'> {
  const { distribution, behaviors, buckets, assets } = edge;
  const [first] = buckets;
  const bucket = made.named('AWS::S3::Bucket', 'RegionalDomainName', first?.DomainName ?? '');
  for (const { DomainName, OriginAccessControlId } of buckets) {
    made.named('AWS::S3::Bucket', 'RegionalDomainName', DomainName);
    made.named('AWS::CloudFront::OriginAccessControl', 'Id', OriginAccessControlId);
  }
  checkReadable(made, bucket, distribution);
  const objects = uploadedTo(made, bucket);
  const served = behaviors.map((behavior) => {
    const { PathPattern, TargetOriginId, ResponseHeadersPolicyId, FunctionAssociations } = behavior;
    if (![first?.Id, assets].includes(TargetOriginId))
      throw new Error(`${PathPattern} leads to ${TargetOriginId}`);
    const isPage = FunctionAssociations === undefined && TargetOriginId !== assets;
    if (isPage && !objects.has(PathPattern.slice(1)))
      throw new Error(`Nothing is uploaded as ${PathPattern.slice(1)}`);
    return {
      behavior,
      headers: headersOf(made, ResponseHeadersPolicyId),
      ask: FunctionAssociations && functionOf(made, FunctionAssociations[0].FunctionARN),
    };
  });
  return {
    patterns: behaviors.map(({ PathPattern }) => PathPattern),
    answer(method, path) {
      const found = served.find(({ behavior }) => isOf(behavior, path));
      if (!found?.behavior.AllowedMethods.includes(method)) return undefined;
      const asked = found.ask?.({ method, uri: path }) ?? { uri: path };
      if ('statusCode' in asked) return asked;
      const object = objects.get(asked.uri.slice(1));
      if (object !== undefined)
        return { ...object, headers: { ...object.headers, ...found.headers }, statusCode: 200 };
      if (found.behavior.TargetOriginId === assets) return undefined;
      throw new Error(`There is no object for ${path}: the bucket would answer XML`);
    },
  };
}

const isOf = ({ PathPattern }: Behavior, path: string): boolean =>
  PathPattern.endsWith('*') ? path.startsWith(PathPattern.slice(0, -1)) : path === PathPattern;

const functionSchema = z.object({
  AutoPublish: z.literal(true),
  FunctionCode: z.string(),
  FunctionConfig: z.object({ Runtime: z.literal('cloudfront-js-2.0') }),
});
const answerSchema = z.strictObject({
  statusCode: z.int(),
  headers: z.record(z.string(), z.strictObject({ value: z.string() })),
  body: z.strictObject({ encoding: z.literal('text'), data: z.string() }).optional(),
});

/** Runs a function as the edge does, on nothing but the language. */
function functionOf(made: Made, arn: string) {
  const { FunctionCode } = read(made.named('AWS::CloudFront::Function', 'FunctionARN', arn), functionSchema);
  return (request: {
    readonly method: string;
    readonly uri: string;
  }): EdgeAnswer | { readonly uri: string } => {
    const event = JSON.stringify({ version: '1.0', request: { ...request, querystring: {}, headers: {} } });
    const given = JSON.parse(runInNewContext(`${FunctionCode}\nJSON.stringify(handler(${event}))`));
    if ('uri' in given) return { uri: String(given.uri) };
    const { statusCode, headers, body } = answerSchema.parse(given);
    const values = Object.entries(headers).map(([name, { value }]) => [name, value]);
    return { statusCode, headers: Object.fromEntries(values), ...(body && { body: body.data }) };
  };
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
  SystemMetadata: z.record(z.string().regex(/^(content-type|cache-control)$/), z.string()),
});

/** The objects that the deployment puts into the bucket, by key. */
function uploadedTo(made: Made, bucket: Resource): ReadonlyMap<string, Omit<EdgeAnswer, 'statusCode'>> {
  const uploads = made.ofType('Custom::CDKBucketDeployment').flatMap((resource) => {
    const { Include, SourceObjectKeys, SystemMetadata, DestinationBucketName } = read(resource, uploadSchema);
    if (DestinationBucketName !== bucket.value('Ref')) return [];
    const folder = resource.stack.assets.get(SourceObjectKeys[0]) ?? '';
    return globSync(Include[0], { cwd: folder }).map((key) => {
      const body = readFileSync(path.join(folder, key), 'base64');
      return [key, { headers: SystemMetadata, body, isBase64Encoded: true }] as const;
    });
  });
  return new Map(uploads);
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
