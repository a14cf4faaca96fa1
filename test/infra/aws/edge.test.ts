import { expect, test } from '@jest/globals';
import { forwardedHeaders } from '../../../infra/aws/forwardedHeaders.ts';
import { ERROR_STATUS, errorEnvelopeSchema } from '../../../shared/contracts/base/errors.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { RATE_LIMITS } from '../../../shared/domain/rateLimits.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { type Synthesized, synthesized } from './synthesized.ts';

const distribution = (of = synthesized('prod')) =>
  of.ofType('AWS::CloudFront::Distribution')[0]?.Properties.DistributionConfig;

test('the edge sends an origin secret to the API over TLS, and functions accept it', () => {
  const [origin, ...buckets] = distribution().Origins;
  expect(buckets).toHaveLength(2);
  for (const bucket of buckets) expect(bucket).not.toHaveProperty('OriginCustomHeaders');
  expect(origin.CustomOriginConfig.OriginProtocolPolicy).toBe('https-only');
  const [header] = origin.OriginCustomHeaders;
  expect(header.HeaderName).toBe('x-evalgate-origin');
  expect(JSON.stringify(header.HeaderValue)).toContain('{{resolve:secretsmanager:');
  const endpoints = synthesized('prod').functions.filter(({ stack }) => !stack.endsWith('-evaluator'));
  for (const { Properties } of endpoints) {
    const accepted = JSON.stringify(Properties.Environment.Variables.ORIGIN_SECRETS);
    expect(accepted.match(/\{\{resolve:secretsmanager:/g)).toHaveLength(2);
  }
  const config = readConfig({ TABLE_NAME: 'table', ORIGIN_SECRETS: `${'a'.repeat(48)},${'b'.repeat(48)}` });
  expect(config.originSecrets).toHaveLength(2);
});

test('which of the two secrets the edge sends is the environment’s to say; functions always take both', () => {
  const sent = (of: Synthesized) => JSON.stringify(distribution(of).Origins[0].OriginCustomHeaders);
  expect(sent(synthesized('dev'))).toContain('FirstOriginSecret');
  expect(sent(synthesized('changed'))).toContain('SecondOriginSecret');
});

test('no answer is cached, not even errors, and callers of one URL are kept apart', () => {
  const [policy] = synthesized('prod').ofType('AWS::CloudFront::CachePolicy');
  const { DefaultTTL, MinTTL, MaxTTL, ParametersInCacheKeyAndForwardedToOrigin } =
    policy?.Properties.CachePolicyConfig ?? {};
  expect({ DefaultTTL, MinTTL, MaxTTL }).toEqual({ DefaultTTL: 0, MinTTL: 0, MaxTTL: 1 });
  expect(ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
    HeadersConfig: { HeaderBehavior: 'whitelist', Headers: ['authorization'] },
    CookiesConfig: { CookieBehavior: 'whitelist', Cookies: ['__Host-evalgate', '__Host-evalgate-sign-in'] },
    QueryStringsConfig: { QueryStringBehavior: 'all' },
  });
  const errors: { ErrorCode: number; ErrorCachingMinTTL: number }[] = distribution().CustomErrorResponses;
  // The statuses that CloudFront caches by default.
  for (const status of [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]) {
    expect(errors.find(({ ErrorCode }) => ErrorCode === status)?.ErrorCachingMinTTL).toBe(0);
  }
});

test('every request of a contract gets through: any method, its query, and whether it takes compressed answers', () => {
  const { DefaultCacheBehavior, Enabled, WebACLId } = distribution();
  const methods = contracts.map(({ method }) => method).filter((method) => method !== 'ANY');
  expect(DefaultCacheBehavior.AllowedMethods).toEqual(
    expect.arrayContaining([...new Set(methods), 'OPTIONS']),
  );
  expect([Enabled, DefaultCacheBehavior.ViewerProtocolPolicy]).toEqual([true, 'https-only']);
  expect(JSON.stringify(WebACLId)).toContain('WebAcl');
  const [requested] = synthesized('prod').ofType('AWS::CloudFront::OriginRequestPolicy');
  expect(requested?.Properties.OriginRequestPolicyConfig).toMatchObject({
    QueryStringsConfig: { QueryStringBehavior: 'all' },
    CookiesConfig: { CookieBehavior: 'none' },
  });
  const [cached] = synthesized('prod').ofType('AWS::CloudFront::CachePolicy');
  expect(cached?.Properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
    // This setting forwards Accept-Encoding.
    EnableAcceptEncodingGzip: true,
  });
});

test('the edge waits for an answer longer than a function may take', () => {
  const [{ CustomOriginConfig }] = distribution().Origins;
  const timeouts = synthesized('prod')
    .functions.filter(({ stack }) => !stack.endsWith('-evaluator'))
    .map(({ Properties }) => Properties.Timeout);
  // The API answers with its own error after 30 s.
  expect(CustomOriginConfig.OriginReadTimeout).toBeGreaterThan(Math.max(30, ...timeouts));
});

test('a deployment outputs its public address and that of the API behind it', () => {
  const template = synthesized('prod').stacks.get('evalgate-prod-edge')?.template ?? '{}';
  const { Outputs } = JSON.parse(template);
  expect(JSON.stringify(Outputs.BaseUrl.Value)).toContain('Distribution');
  expect(JSON.stringify(Outputs.OriginUrl.Value)).toContain('.execute-api.');
});

test('only the checkout and sign-ins receive the public address, that of the edge or the configured domain', () => {
  const knowing = (of: Synthesized) =>
    of.functions
      .map(({ Properties }) => [Properties.Description, Properties.Environment.Variables.BASE_URL])
      .filter(([, baseUrl]) => baseUrl !== undefined);
  const ids = ['auth/beginSignIn', 'auth/finishSignIn', 'billing/checkout', 'signIn/get', 'signIn/put'];
  const files = ids.map((id) => `functions/${id}.ts`);
  const changed = knowing(synthesized('changed')).toSorted();
  expect(changed).toEqual(files.map((file) => [file, 'https://gate.example']));
  const byEdge = knowing(synthesized('prod'));
  expect(byEdge.map(([file]) => file).toSorted()).toEqual(files);
  for (const [, address] of byEdge) {
    expect(address['Fn::Join'][1]).toEqual([
      'https://',
      { 'Fn::ImportValue': expect.stringMatching(/^evalgate-prod-edge:.*DomainName/) },
    ]);
  }
});

test('every header that a contract reads reaches the functions, and the client’s address by the edge’s own', () => {
  const [policy] = synthesized('prod').ofType('AWS::CloudFront::OriginRequestPolicy');
  const { Headers } = policy?.Properties.OriginRequestPolicyConfig.HeadersConfig ?? {};
  expect(Headers).toEqual(forwardedHeaders());
  expect(Headers).toEqual(
    expect.arrayContaining([
      'content-encoding',
      'content-type',
      'sec-fetch-site',
      'cloudfront-viewer-address',
    ]),
  );
  // CloudFront takes ten.
  expect(Headers.length).toBeLessThanOrEqual(10);
  expect(Headers).not.toContain('x-evalgate-origin');
  const read = contracts.flatMap(({ headers }) =>
    Object.keys((headers as { shape?: object } | undefined)?.shape ?? {}),
  );
  expect([...Headers, 'authorization']).toEqual(expect.arrayContaining(read));
});

test('the firewall stops floods above the service’s own limit, with the same envelope, and reads no bodies', () => {
  const [webAcl] = synthesized('prod').ofType('AWS::WAFv2::WebACL');
  const { Rules, CustomResponseBodies, Scope, DefaultAction } = webAcl?.Properties ?? {};
  expect([Scope, DefaultAction]).toEqual(['CLOUDFRONT', { Allow: {} }]);
  expect(Rules).toHaveLength(2);
  expect(JSON.stringify(Rules)).not.toMatch(/FieldToMatch|\bBody\b/);
  const [flood] = Rules;
  const { requests, windowMs } = RATE_LIMITS.general;
  expect(flood.Statement.RateBasedStatement.Limit).toBeGreaterThan((requests * 300_000) / windowMs);
  // By the connection's address: with a header of its own choice a client would get any number of limits.
  expect(flood.Statement.RateBasedStatement).toMatchObject({
    AggregateKeyType: 'IP',
    EvaluationWindowSec: 300,
  });
  const { ResponseHeaders } = flood.Action.Block.CustomResponse;
  expect(ResponseHeaders).toContainEqual({ Name: 'Retry-After', Value: '300' });
  const groups = Rules.flatMap(
    ({ Statement }: { Statement: { ManagedRuleGroupStatement?: { Name: string } } }) =>
      Statement.ManagedRuleGroupStatement?.Name ?? [],
  );
  expect(groups).toEqual(['AWSManagedRulesAmazonIpReputationList']);
  expect(Rules[1].OverrideAction).toEqual({ None: {} });
  const overrides: { Name: string; ActionToUse: object }[] =
    Rules[1].Statement.ManagedRuleGroupStatement.RuleActionOverrides;
  // AWS's names of its rules: a deployment with another name fails.
  expect(overrides.map(({ Name }) => Name)).toEqual([
    'AWSManagedIPReputationList',
    'AWSManagedReconnaissanceList',
  ]);
  for (const action of [flood.Action, ...overrides.map(({ ActionToUse }) => ActionToUse)]) {
    const { ResponseCode, CustomResponseBodyKey } = action.Block.CustomResponse;
    const { Content, ContentType } = CustomResponseBodies[CustomResponseBodyKey];
    const { code } = errorEnvelopeSchema.parse(JSON.parse(Content)).error;
    expect([ContentType, ResponseCode]).toEqual(['APPLICATION_JSON', ERROR_STATUS[code]]);
    // The limit of all bodies together is higher: 50 kB.
    expect(Content.length).toBeLessThan(4_096);
  }
});

test('a name of one’s own is served by its certificate with TLS 1.2 at least', () => {
  const { Aliases, ViewerCertificate } = distribution(synthesized('changed'));
  expect(Aliases).toEqual(['gate.example']);
  expect(ViewerCertificate.MinimumProtocolVersion).toBe('TLSv1.2_2021');
});
