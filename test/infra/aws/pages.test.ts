import { describe, expect, test } from '@jest/globals';
import { APP_PATHS } from '../../../clients/pages/app.ts';
import { PAGE_FILES } from '../../../clients/pages/files.ts';
import { APP_FUNCTION } from '../../../infra/aws/appFunction.ts';
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

  const { CacheBehaviors, Origins, OriginGroups, CustomErrorResponses } = ofType(
    'AWS::CloudFront::Distribution',
  )[0]?.Properties.DistributionConfig ?? { CacheBehaviors: [] };
  type Behavior = Record<string, unknown> & { readonly PathPattern: string };
  const behaviors: readonly Behavior[] = CacheBehaviors;
  const ofPath = (pattern: string): Behavior | undefined =>
    behaviors.find(({ PathPattern }) => PathPattern === pattern);

  test('the edge reads it by signed requests over TLS, for the paths of pages and the dashboard only', () => {
    expect(behaviors.map(({ PathPattern }) => PathPattern)).toEqual([...paths, ...APP_PATHS]);
    for (const behavior of behaviors) {
      expect(behavior).toMatchObject({ ViewerProtocolPolicy: 'https-only', Compress: true });
      // Neither a query, which S3 would obey, nor a header of the viewer.
      expect(behavior).not.toHaveProperty('OriginRequestPolicyId');
    }
    for (const { OriginAccessControlId } of Origins.slice(1))
      expect(textOf(OriginAccessControlId)).toContain('S3OriginAccessControl');
    const [control, ...others] = ofType('AWS::CloudFront::OriginAccessControl');
    expect(others).toEqual([]);
    expect(control?.Properties.OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
  });

  test('only GET and HEAD reach the bucket: by the behaviour, or by the function, which answers all else itself', () => {
    for (const path of [...paths, '/assets/*']) {
      expect(ofPath(path)?.AllowedMethods).toEqual(['GET', 'HEAD']);
      expect(ofPath(path)).not.toHaveProperty('FunctionAssociations');
    }
    const [answering, ...others] = ofType('AWS::CloudFront::Function');
    expect(others).toEqual([]);
    expect(answering?.Properties).toMatchObject({ FunctionCode: APP_FUNCTION, AutoPublish: true });
    // CloudFront takes 10 kB.
    expect(APP_FUNCTION.length).toBeLessThan(2_000);
    for (const path of APP_PATHS.filter((pattern) => pattern !== '/assets/*')) {
      expect(ofPath(path)?.FunctionAssociations).toEqual([
        {
          EventType: 'viewer-request',
          FunctionARN: { 'Fn::GetAtt': [answering?.logicalId, 'FunctionARN'] },
        },
      ]);
    }
  });

  test('an asset that is missing is requested from the API, and no error becomes a page', () => {
    const [group] = OriginGroups.Items;
    expect(ofPath('/assets/*')).toMatchObject({
      TargetOriginId: group.Id,
      // AWS's own policy, which keeps as long as the object says.
      CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
    });
    const members = group.Members.Items.map(({ OriginId }: { OriginId: string }) => OriginId);
    expect(members).toEqual([Origins[2].Id, Origins[0].Id]);
    expect(group.FailoverCriteria.StatusCodes.Items).toEqual([403, 404]);
    for (const answer of CustomErrorResponses) {
      expect(Object.keys(answer).toSorted()).toEqual(['ErrorCachingMinTTL', 'ErrorCode']);
    }
  });

  test('assets are uploaded before the pages that load them, and stay when others come', () => {
    const uploads = ofType('Custom::CDKBucketDeployment');
    const ofAssets = uploads.filter(({ Properties }) => Properties.Include[0].startsWith('assets/'));
    expect(ofAssets.map(({ Properties }) => Properties.Include)).toEqual([['assets/*.js'], ['assets/*.css']]);
    for (const { Properties, ...upload } of uploads) {
      expect(Properties).toMatchObject({ Prune: false, Exclude: ['*'] });
      if (Properties.Include[0] === 'app/index.html')
        expect(upload).toMatchObject({ DependsOn: ofAssets.map(({ logicalId }) => logicalId).toSorted() });
    }
    expect(bucket?.Properties).not.toHaveProperty('LifecycleConfiguration');
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
      logicalId.startsWith('PagesUploadsRole'),
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
    expect(puts?.map(textOf)).toEqual(
      [...paths, '/app/index.html', '/assets/*', '/app.json'].map((path) =>
        expect.stringContaining(`"${path}"`),
      ),
    );
    const [copier] = ofType('AWS::Lambda::Function').filter(({ logicalId }) =>
      logicalId.startsWith('CustomCDKBucketDeployment'),
    );
    expect(textOf(copier?.Properties.Role)).toContain(role?.logicalId);
  });
});
