import { describe, expect, test } from '@jest/globals';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { ENVIRONMENT_NAMES, synthesized } from './synthesized.ts';

const textOf = (value: unknown): string => JSON.stringify(value);
const paths = PAGE_FILES.map(({ path }) => path);

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  const ofType = (type: string) => synthesized(name).ofType(type);
  const [bucket] = ofType('AWS::S3::Bucket');
  const statements: Record<string, unknown>[] =
    ofType('AWS::S3::BucketPolicy')[0]?.Properties.PolicyDocument.Statement;

  test('the only bucket is private and encrypted, and takes no request without TLS', () => {
    expect(ofType('AWS::S3::Bucket')).toHaveLength(1);
    expect(bucket?.Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    });
    expect(bucket?.Properties).not.toHaveProperty('WebsiteConfiguration');
    expect(statements[0]).toMatchObject({
      Effect: 'Deny',
      Action: 's3:*',
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  test('its policy lets only this distribution read; in dev also what empties it', () => {
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');
    const [reading, ...others] = allowed.toReversed();
    expect(reading).toMatchObject({
      Action: 's3:GetObject',
      Principal: { Service: 'cloudfront.amazonaws.com' },
    });
    expect(textOf(reading?.Condition)).toMatch(/AWS:SourceArn.*:distribution\/.*"Ref":"Distribution/);
    expect(others.map(({ Principal }) => textOf(Principal))).toEqual(
      name === 'dev' ? [expect.stringContaining('CustomS3AutoDeleteObjects')] : [],
    );
    expect(ofType('Custom::S3AutoDeleteObjects')).toHaveLength(name === 'dev' ? 1 : 0);
  });

  test('the edge reads it by signed requests, for the paths of pages only, by GET and HEAD over TLS', () => {
    const { CacheBehaviors, Origins } = ofType('AWS::CloudFront::Distribution')[0]?.Properties
      .DistributionConfig ?? { CacheBehaviors: [], Origins: [] };
    expect(CacheBehaviors.map(({ PathPattern }: { PathPattern: string }) => PathPattern)).toEqual(paths);
    for (const behavior of CacheBehaviors) {
      expect(behavior).toMatchObject({
        AllowedMethods: ['GET', 'HEAD'],
        ViewerProtocolPolicy: 'https-only',
        TargetOriginId: Origins[1].Id,
        Compress: true,
      });
      expect(behavior).not.toHaveProperty('OriginRequestPolicyId');
    }
    expect(textOf(Origins[1].OriginAccessControlId)).toContain('S3OriginAccessControl');
    const [control] = ofType('AWS::CloudFront::OriginAccessControl');
    expect(control?.Properties.OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });

  test('a page is older than its object by a second at most, and neither cookies nor credentials reach the bucket', () => {
    const kept = ofType('AWS::CloudFront::CachePolicy').filter(({ logicalId }) =>
      logicalId.startsWith('Pages'),
    );
    expect(kept.map(({ Properties }) => Properties.CachePolicyConfig)).toEqual([
      expect.objectContaining({
        MinTTL: 1,
        DefaultTTL: 1,
        MaxTTL: 1,
        ParametersInCacheKeyAndForwardedToOrigin: {
          CookiesConfig: { CookieBehavior: 'none' },
          HeadersConfig: { HeaderBehavior: 'none' },
          QueryStringsConfig: { QueryStringBehavior: 'none' },
          EnableAcceptEncodingBrotli: true,
          EnableAcceptEncodingGzip: true,
        },
      }),
    ]);
  });

  test('what uploads may read one archive, list the bucket, put these files and write its log', () => {
    const [role] = ofType('AWS::IAM::Role').filter(({ logicalId }) =>
      logicalId.startsWith('PagesUploadRole'),
    );
    const rights: { Action: string; Resource: unknown }[] =
      role?.Properties.Policies[0].PolicyDocument.Statement;
    expect(rights.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ]);
    const [, reads, lists, puts] = rights.map(({ Resource }) => [Resource].flat());
    expect(reads?.map(textOf)).toEqual([expect.stringMatching(/-assets-.*\/[0-9a-f]{64}\.zip/)]);
    expect(lists?.map(textOf)).toEqual([expect.stringContaining(bucket?.logicalId ?? '')]);
    expect(puts?.map(textOf)).toEqual(paths.map((path) => expect.stringContaining(`"${path}"`)));
    const [copier] = ofType('AWS::Lambda::Function').filter(({ logicalId }) =>
      logicalId.startsWith('CustomCDKBucketDeployment'),
    );
    expect(textOf(copier?.Properties.Role)).toContain(role?.logicalId);
  });
});
