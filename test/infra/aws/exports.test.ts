import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { App, Stack } from 'aws-cdk-lib/core';
import { environments } from '../../../infra/aws/environments.ts';
import { ENDPOINT_STACKS } from '../../../infra/aws/functions.ts';
import { ApiStack } from '../../../infra/aws/stacks/api.ts';
import { DataStack } from '../../../infra/aws/stacks/data.ts';
import { EdgeStack } from '../../../infra/aws/stacks/edge.ts';
import { EvaluatorStack } from '../../../infra/aws/stacks/evaluator.ts';
import { FirewallStack } from '../../../infra/aws/stacks/firewall.ts';
import { ENVIRONMENT_NAMES, PAYMENTS, synthesize, synthesized, withApp } from './synthesized.ts';

const IMPORT = /"Fn::ImportValue":"([^":]+):([^"]+)"/g;
const { dev } = environments;
const env = { region: dev.region };

/** A stack's exports without any importing stack. */
const exportsAlone = (make: (app: App) => Stack): readonly string[] =>
  withApp((app) => {
    const { stackName } = make(app);
    const { Outputs = {} } = app.synth().getStackByName(stackName).template;
    return Object.values<{ Export?: { Name: string } }>(Outputs).flatMap(({ Export }) => Export?.Name ?? []);
  });

const dataStack = (app: App) => new DataStack(app, 'evalgate-dev-data', dev, { env });
const apiStack = (app: App) => new ApiStack(app, 'evalgate-dev-api', dev, { env });
const alone = new Map(
  [
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
  ].map((make) => {
    const found = exportsAlone(make);
    return [found[0]?.split(':')[0], found] as const;
  }),
);

test('a stack exports all that others may use even when none does: so none is in the way when one stops', () => {
  const { stacks } = synthesize({ ...dev, payments: PAYMENTS });
  const imported = [...stacks.values()].flatMap(({ template }) => [...template.matchAll(IMPORT)]);
  expect(imported.length).toBeGreaterThan(100);
  for (const [, stack = '', name = ''] of imported) {
    // The firewall has a single user, which goes with it.
    if (stack !== 'evalgate-dev-firewall') expect(alone.get(stack)).toContain(`${stack}:${name}`);
  }
});

test('turning payments on, and off again, takes no export away', () => {
  const exported = (of = synthesized('dev')) =>
    [...of.stacks.values()].flatMap(({ template }) =>
      [...template.matchAll(/"Export":\{"Name":"([^"]+)"/g)].map(([, name]) => name),
    );
  expect(exported(synthesize({ ...dev, payments: PAYMENTS })).sort()).toEqual(exported().sort());
});

test.each(['.github/workflows/deploy-environment.yml', 'docs/deploy.md'])(
  'going back as %s says begins with the stacks that import from others, so that unused exports can be removed',
  (file) => {
    const { stacks } = synthesized('dev');
    const users = [...stacks].filter(([, { template }]) => template.includes('Fn::ImportValue'));
    const commands = readFileSync(file, 'utf8').match(/npx cdk deploy (--exclusively|--all).*/g) ?? [];
    const [first = '', second = ''] = commands.slice(-2);
    const [, kept = ''] = /^npx cdk deploy --exclusively \S+-!\((.+)\)['"] -c env=/.exec(first) ?? [];
    expect(second).toMatch(/^npx cdk deploy --all -c env=/);
    const others = [...stacks.keys()].filter(
      (name) => !kept.split('|').includes(name.replace('evalgate-dev-', '')),
    );
    expect(others.sort()).toEqual(users.map(([name]) => name).sort());
  },
);

test.each(ENVIRONMENT_NAMES)(
  'the evaluator of %s is deployed before the endpoints that send its messages',
  (name) => {
    const stacks = synthesized(name).app.node.children as Stack[];
    const named = (part: string) => stacks.find(({ stackName }) => stackName === `evalgate-${name}-${part}`);
    for (const endpoints of ENDPOINT_STACKS) {
      expect(named(endpoints)?.dependencies.map(({ stackName }) => stackName)).toContain(
        `evalgate-${name}-evaluator`,
      );
    }
  },
);
