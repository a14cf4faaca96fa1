import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { deploymentOf } from '../../../infra/aws/deployment.ts';
import { type Environment, environments } from '../../../infra/aws/environments.ts';
import { ApiStack } from '../../../infra/aws/stacks/api.ts';
import { DataStack } from '../../../infra/aws/stacks/data.ts';
import { EdgeStack } from '../../../infra/aws/stacks/edge.ts';
import { EvaluatorStack } from '../../../infra/aws/stacks/evaluator.ts';
import { FirewallStack } from '../../../infra/aws/stacks/firewall.ts';
import type { Acknowledgement, Resource, StackOfApp, Templates } from './synthesized.ts';

const { context } = JSON.parse(readFileSync(path.resolve('cdk.json'), 'utf8'));
const { dev } = environments;
const env = { region: dev.region };

/** Passes an app to `make` and removes its files afterwards. */
function withApp<T>(make: (app: App, folder: string) => T): T {
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

/** The templates of all stacks of an environment, with stubs instead of bundles, and what is found in its app. */
export const synthesize = (environment: Environment, { isChecked = true } = {}): Templates =>
  withApp((app, folder) => {
    writeFileSync(path.join(folder, 'stub.mjs'), 'export const handler = () => {};');
    deploymentOf(app, environment, () => Code.fromAsset(folder, { exclude: ['cdk.out'] }));
    const { stacks } = app.synth();
    const children = new Map((app.node.children as Stack[]).map((stack) => [stack.stackName, stack]));
    return {
      stacks: stacks.map(({ stackName, environment: { region }, template }): [string, StackOfApp] => {
        const stack = children.get(stackName);
        const dependencies = stack?.dependencies.map((other) => other.stackName) ?? [];
        const isProtected = stack?.terminationProtection === true;
        return [stackName, { region, template: JSON.stringify(template), dependencies, isProtected }];
      }),
      resources: stacks.flatMap(({ stackName, template }) =>
        Object.entries<Omit<Resource, 'stack' | 'logicalId'>>(template.Resources).map(
          ([logicalId, resource]) => ({ stack: stackName, logicalId, ...resource }),
        ),
      ),
      findings: isChecked ? findingsOf(app) : null,
      acknowledgements: acknowledgementsOf(app),
    };
  });

/** The findings of cdk-nag. */
const findingsOf = (app: App): string[] =>
  new AwsSolutionsChecks(app)
    .validateScope(app)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );

/** The acknowledged findings: rule and reason by construct. */
const acknowledgementsOf = (app: App): Acknowledgement[] =>
  app.node
    .findAll()
    .flatMap(({ node }) => node.metadata)
    .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
    .flatMap(({ data }) => Object.entries<string>(data))
    .map(([rule, reason]) => ({ rule: rule.replace(/^annotation::/i, ''), reason }));

/** What is found in a queue that explains nothing. */
export const findingsOfBareQueue = (): string[] =>
  withApp((app) => {
    new Queue(new Stack(app, 'Stack'), 'Queue');
    return findingsOf(app);
  });

const dataStack = (app: App) => new DataStack(app, 'evalgate-dev-data', dev, { env });
const apiStack = (app: App) => new ApiStack(app, 'evalgate-dev-api', dev, { env });
const IMPORTED = [
  dataStack,
  apiStack,
  (app: App) => {
    const deployment = { environment: dev, data: dataStack(app), codeOf: () => Code.fromInline('//') };
    return new EvaluatorStack(app, 'evalgate-dev-evaluator', deployment, { env });
  },
  (app: App) => {
    const { webAcl } = new FirewallStack(app, 'evalgate-dev-firewall', dev, { env });
    const parts = { environment: dev, data: dataStack(app), api: apiStack(app), webAcl };
    return new EdgeStack(app, 'evalgate-dev-edge', parts, { env });
  },
];

/** The exports of the stacks of dev that others import from, each without any importing stack. */
export const exportsAlone = (): string[] =>
  IMPORTED.flatMap((make) =>
    withApp((app) => {
      const { stackName } = make(app);
      const { Outputs = {} } = app.synth().getStackByName(stackName).template;
      return Object.values<{ Export?: { Name: string } }>(Outputs).flatMap(
        ({ Export }) => Export?.Name ?? [],
      );
    }),
  );
