import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { deploymentOf } from '../../../infra/aws/deployment.ts';
import {
  ENVIRONMENT_NAMES,
  type Environment,
  environments,
  type PaymentSettings,
} from '../../../infra/aws/environments.ts';

export interface Resource {
  readonly stack: string;
  readonly logicalId: string;
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: CloudFormation's own shapes
  readonly Properties: Record<string, any>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

export interface Synthesized {
  readonly environment: Environment;
  readonly app: App;
  readonly stacks: ReadonlyMap<string, { readonly region: string; readonly template: string }>;
  readonly resources: readonly Resource[];
  readonly ofType: (type: string) => readonly Resource[];
  /** Without those of the CDK, which run while it deploys. */
  readonly functions: readonly Resource[];
}

/** `CustomCDKBucketDeployment…` */
export const isOfTheCdk = ({ logicalId }: Resource): boolean => logicalId.startsWith('Custom');

/** Example payment settings. */
export const PAYMENTS: PaymentSettings = {
  pricePro: 'price_1',
  priceScale: 'price_2',
  priceProOverage: 'price_3',
  priceScaleOverage: 'price_4',
  meterEventName: 'runs',
};

const { context } = JSON.parse(readFileSync(path.resolve('cdk.json'), 'utf8'));

/** Passes an app to `make` and removes its files afterwards. */
export function withApp<T>(make: (app: App, folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-synth-'));
  try {
    return make(
      new App({ context, outdir: path.join(folder, 'cdk.out'), analyticsReporting: false }),
      folder,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The templates of all stacks of an environment, with stubs instead of bundles. */
export const synthesize = (environment: Environment): Synthesized =>
  withApp((app, folder) => {
    writeFileSync(path.join(folder, 'stub.mjs'), 'export const handler = () => {};');
    deploymentOf(app, environment, () => Code.fromAsset(folder, { exclude: ['cdk.out'] }));
    const assembly = app.synth();
    const stacks = new Map(
      assembly.stacks.map(({ stackName, environment: { region }, template }) => [
        stackName,
        { region, template: JSON.stringify(template) },
      ]),
    );
    const resources = assembly.stacks.flatMap(({ stackName, template }) =>
      Object.entries<Omit<Resource, 'stack' | 'logicalId'>>(template.Resources).map(
        ([logicalId, resource]) => ({
          stack: stackName,
          logicalId,
          ...resource,
        }),
      ),
    );
    const ofType = (type: string) => resources.filter((resource) => resource.Type === type);
    const functions = ofType('AWS::Lambda::Function').filter((resource) => !isOfTheCdk(resource));
    return { environment, app, stacks, resources, ofType, functions };
  });

const known = new Map<string, Synthesized>();

/** Made once a test file. */
export function synthesized(name: (typeof ENVIRONMENT_NAMES)[number]): Synthesized {
  const found = known.get(name) ?? synthesize(environments[name]);
  known.set(name, found);
  return found;
}

/** The findings of cdk-nag. */
export const findingsOf = (app: App): string[] =>
  new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

/** The acknowledged findings: rule and reason by construct. */
export const acknowledgementsOf = (app: App): { rule: string; reason: string }[] =>
  app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries<string>(data))
    .map(([rule, reason]) => ({ rule: rule.replace(/^annotation::/i, ''), reason }));

export { ENVIRONMENT_NAMES };
