import { describe, expect, test } from '@jest/globals';
import { type Environment, environments } from '../../../infra/aws/environments.ts';
import { functionIds } from '../../../infra/aws/functions.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import {
  ENVIRONMENT_NAMES,
  isOfTheCdk,
  type Resource,
  type Synthesized,
  synthesized,
} from './synthesized.ts';

/** Half of CloudFormation's limit. */
const RESOURCES_MAX = 250;
/** CloudFormation's limit of a template. */
const DYNAMIC_REFERENCES_MAX = 60;

const FUNCTION = 'AWS::Lambda::Function';
const refOf = (value: unknown): string => JSON.stringify(value);

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}
const inlineStatements = ({ Properties }: Resource): readonly Statement[] =>
  Properties.Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: readonly Statement[] } }) => PolicyDocument.Statement,
  );
const listed = <T>(value: T | readonly T[]): readonly T[] => [value].flat() as readonly T[];

describe.each(ENVIRONMENT_NAMES)('%s', (name) => {
  let all: Synthesized;
  const deployed = (): Synthesized => {
    all ??= synthesized(name);
    return all;
  };
  const functions = () => deployed().functions;
  const environment: Environment = environments[name];

  test('every contract and every worker is one function, on arm64 and Node 24', () => {
    const files = functions().map(({ Properties }) => Properties.Description);
    expect(files.sort()).toEqual(functionIds.map((id) => `functions/${id}.ts`).sort());
    for (const { Properties } of functions()) {
      expect(Properties).toMatchObject({ Architectures: ['arm64'], Runtime: 'nodejs24.x' });
      expect(Properties.FunctionName.length).toBeLessThanOrEqual(64);
    }
  });

  test('every function has a timeout, memory, tracing as the environment states, and a log that ends', () => {
    for (const { Properties } of functions()) {
      expect(Properties.Timeout).toBeGreaterThanOrEqual(29);
      expect(Properties.MemorySize).toBeGreaterThanOrEqual(256);
      expect(Properties.TracingConfig?.Mode).toBe(environment.isTraced ? 'Active' : undefined);
      expect(refOf(Properties.LoggingConfig.LogGroup)).toContain('FunctionLog');
    }
    const logs = deployed().ofType('AWS::Logs::LogGroup');
    expect(logs).toHaveLength(4);
    for (const { Properties } of logs) expect(Properties.RetentionInDays).toBe(environment.logRetentionDays);
  });

  test('every endpoint answers before the API gives up', () => {
    const endpoints = functions().filter(({ stack }) => !stack.endsWith('-evaluator'));
    expect(endpoints).toHaveLength(contracts.length);
    for (const { Properties } of endpoints) expect(Properties.Timeout).toBeLessThan(30);
  });

  test('the variables of a function stay below the 4 kB of Lambda', () => {
    for (const { Properties } of functions()) {
      // References are longer than what takes their place, secrets apart.
      expect(JSON.stringify(Properties.Environment).length).toBeLessThan(4_096);
    }
  });

  test('routes are the contracts, each to its own function, which only this route may invoke', () => {
    const routes = deployed().ofType('AWS::ApiGatewayV2::Route');
    const keys = contracts.flatMap(({ method, path }) => {
      const place = path.replaceAll(/:(\w+)/g, '{$1}');
      if (path === '$default') return [path];
      return [`${method} ${place}`, ...(method === 'GET' ? [`HEAD ${place}`] : [])];
    });
    expect(routes.map(({ Properties }) => Properties.RouteKey).sort()).toEqual(keys.sort());
    for (const contract of contracts) {
      const prefix = contract.id.replaceAll(/(?:^|\/)(\w)/g, (_, letter: string) => letter.toUpperCase());
      const of = (type: string) => {
        const found = deployed()
          .ofType(type)
          .filter(({ logicalId }) => new RegExp(`^${prefix}[A-Z][a-z]+[0-9A-F]{8}$`).test(logicalId));
        expect(found).toHaveLength(1);
        return found[0] as Resource;
      };
      const [route, integration, permission, lambda] = [
        of('AWS::ApiGatewayV2::Route'),
        of('AWS::ApiGatewayV2::Integration'),
        of('AWS::Lambda::Permission'),
        of(FUNCTION),
      ];
      expect(refOf(route.Properties.Target)).toContain(integration.logicalId);
      expect(refOf(integration.Properties.IntegrationUri)).toContain(lambda.logicalId);
      expect(integration.Properties.PayloadFormatVersion).toBe('2.0');
      expect(refOf(permission.Properties.FunctionName)).toContain(lambda.logicalId);
      expect(permission.Properties.Principal).toBe('apigateway.amazonaws.com');
      const path = contract.path.replaceAll(/:(\w+)/g, '{$1}');
      const permitted = path === '$default' ? '/*/*"' : `/*/${contract.method}${path}"`;
      expect(refOf(permission.Properties.SourceArn)).toContain(permitted);
    }
  });

  test('no permission has a wildcard, but for tracing, which knows no resources', () => {
    const roles = deployed()
      .ofType('AWS::IAM::Role')
      .filter((role) => !isOfTheCdk(role));
    // One more uploads the pages.
    expect(roles).toHaveLength(functions().length + 1);
    expect(deployed().ofType('AWS::IAM::Policy')).toEqual([]);
    expect(deployed().ofType('AWS::IAM::ManagedPolicy')).toEqual([]);
    for (const role of roles) {
      expect(role.Properties.ManagedPolicyArns).toBeUndefined();
      for (const { Effect, Action, Resource } of inlineStatements(role)) {
        expect(Effect).toBe('Allow');
        for (const action of listed(Action)) expect(action).not.toContain('*');
        if (listed(Action).every((action) => action.startsWith('xray:Put'))) {
          expect([Resource, environment.isTraced]).toEqual(['*', true]);
        } else {
          for (const resource of listed(Resource)) expect(typeof resource).toBe('object');
        }
      }
    }
  });

  test('no role may read secrets: they are in the variables of their users, and in no template', () => {
    const texts = [...deployed().stacks.values()].map(({ template }) => template);
    expect(texts.join()).not.toMatch(/secretsmanager:(Get|List|Batch|\*)/);
    for (const { Properties } of deployed().ofType('AWS::SecretsManager::Secret')) {
      expect(Properties).not.toHaveProperty('SecretString');
    }
    for (const text of texts) {
      expect([...text.matchAll(/\{\{resolve:/g)].length).toBeLessThanOrEqual(DYNAMIC_REFERENCES_MAX);
    }
  });

  test('the API throttles above the limit of one address, and logs every request', () => {
    const [stage] = deployed().ofType('AWS::ApiGatewayV2::Stage');
    const { AccessLogSettings, DefaultRouteSettings, StageName } = stage?.Properties ?? {};
    expect(StageName).toBe('$default');
    expect(DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThan((100 / 60) * 10);
    expect(DefaultRouteSettings.ThrottlingBurstLimit).toBeGreaterThanOrEqual(100);
    const format = JSON.parse(AccessLogSettings.Format);
    expect(format).toMatchObject({ status: '$context.status', route: '$context.routeKey' });
    expect(AccessLogSettings.Format).not.toMatch(/authorizer|header|query|path\b/i);
  });

  test('every stack has room to double', () => {
    const counts = Map.groupBy(deployed().resources, ({ stack }) => stack);
    expect(counts.size).toBe(11);
    for (const resources of counts.values()) expect(resources.length).toBeLessThan(RESOURCES_MAX / 2);
  });
});

test('variables stay below 4 kB even with long secrets, many former prices and every variable of judges', () => {
  const { functions } = synthesized('changed');
  for (const { Properties } of functions) {
    // A reference is longer than what takes its place, a secret's but for Stripe's: 300 characters are more than two.
    const variables = Object.entries<unknown>(Properties.Environment.Variables).map(
      ([variable, value]) =>
        variable + (/^STRIPE_(SECRET|WEBHOOK)/.test(variable) ? 'x'.repeat(300) : refOf(value)),
    );
    expect(variables.join('').length).toBeLessThan(4_096);
  }
});

test('payments give their variables to billing functions and the purge, which ends subscriptions, and turn on the report of overage', () => {
  const { ofType, functions } = synthesized('paid');
  const knowing = functions.filter(({ Properties }) =>
    Object.keys(Properties.Environment.Variables).some((variable) => variable.startsWith('STRIPE_')),
  );
  expect(knowing.map(({ Properties }) => Properties.Description).sort()).toEqual([
    'functions/billing/checkout.ts',
    'functions/billing/portal.ts',
    'functions/billing/reportOverage.ts',
    'functions/billing/webhook.ts',
    'functions/evaluator/purge.ts',
  ]);
  for (const { Properties } of knowing) {
    const { STRIPE_SECRET_KEY, STRIPE_PRICE_PRO } = Properties.Environment.Variables;
    expect(refOf(STRIPE_SECRET_KEY)).toContain('{{resolve:secretsmanager:');
    expect(STRIPE_PRICE_PRO).toBe('price_1');
  }
  expect(ofType('AWS::Events::Rule').map(({ Properties }) => Properties.State)).toEqual(
    Array.from({ length: 2 + 8 + 8 }, () => 'ENABLED'),
  );
});

test('an environment of another region keeps its firewall where CloudFront looks for it', () => {
  const { stacks } = synthesized('changed');
  const regions = [...stacks].filter(([, { region }]) => region === 'us-east-1').map(([stack]) => stack);
  expect(regions).toEqual(['evalgate-dev-firewall']);
});
