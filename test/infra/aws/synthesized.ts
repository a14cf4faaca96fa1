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
import { madeOnce } from '../../support/madeOnce.ts';

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

/** What templates say: JSON. */
export interface Templates {
  /** By stack. */
  readonly stacks: readonly (readonly [
    name: string,
    { readonly region: string; readonly template: string },
  ])[];
  readonly resources: readonly Resource[];
}

/** The templates of all stacks of an environment, with stubs instead of bundles. */
export const synthesize = (environment: Environment): Synthesized =>
  withApp((app, folder) => {
    writeFileSync(path.join(folder, 'stub.mjs'), 'export const handler = () => {};');
    deploymentOf(app, environment, () => Code.fromAsset(folder, { exclude: ['cdk.out'] }));
    const { stacks } = app.synth();
    const templates = {
      stacks: stacks.map(
        ({ stackName, environment: { region }, template }) =>
          [stackName, { region, template: JSON.stringify(template) }] as const,
      ),
      resources: stacks.flatMap(({ stackName, template }) =>
        Object.entries<Omit<Resource, 'stack' | 'logicalId'>>(template.Resources).map(
          ([logicalId, resource]) => ({ stack: stackName, logicalId, ...resource }),
        ),
      ),
    };
    return described(environment, templates, () => app);
  });

function described(
  environment: Environment,
  { stacks, resources }: Templates,
  appOf: () => App,
): Synthesized {
  const ofType = (type: string) => resources.filter((resource) => resource.Type === type);
  const functions = ofType('AWS::Lambda::Function').filter((resource) => !isOfTheCdk(resource));
  return {
    ...{ environment, stacks: new Map(stacks), resources, ofType, functions },
    get app() {
      return appOf();
    },
  };
}

const known = new Map<string, Synthesized>();

/** Templates are made once in a test run, and the app of a test file that asks for it. */
export function synthesized(name: (typeof ENVIRONMENT_NAMES)[number]): Synthesized {
  const found = known.get(name) ?? readSynthesized(name);
  known.set(name, found);
  return found;
}

function readSynthesized(name: (typeof ENVIRONMENT_NAMES)[number]): Synthesized {
  const folder = madeOnce('templates', '../infra/aws/writeTemplates.ts');
  const templates: Templates = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  let app: App | undefined;
  return described(environments[name], templates, () => {
    app ??= synthesize(environments[name]).app;
    return app;
  });
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
