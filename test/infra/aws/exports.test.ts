import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ENDPOINT_STACKS } from '../../../infra/aws/functions.ts';
import { ENVIRONMENT_NAMES, probes, synthesized } from './synthesized.ts';

const IMPORT = /"Fn::ImportValue":"([^":]+):([^"]+)"/g;

test('a stack exports all that others may use even when none does: so none is in the way when one stops', () => {
  const { stacks } = synthesized('paid');
  const { exportsAlone } = probes();
  const imported = [...stacks.values()].flatMap(({ template }) => [...template.matchAll(IMPORT)]);
  expect(imported.length).toBeGreaterThan(100);
  for (const [, stack = '', name = ''] of imported) {
    // The firewall has a single user, which goes with it.
    if (stack !== 'evalgate-dev-firewall') expect(exportsAlone).toContain(`${stack}:${name}`);
  }
});

test('turning payments on, and off again, takes no export away', () => {
  const exported = (of = synthesized('dev')) =>
    [...of.stacks.values()].flatMap(({ template }) =>
      [...template.matchAll(/"Export":\{"Name":"([^"]+)"/g)].map(([, name]) => name),
    );
  expect(exported(synthesized('paid')).sort()).toEqual(exported().sort());
});

test.each(['.github/workflows/deploy-environment.yml', 'docs/deploy.md'])(
  'going back as %s describes begins with the stacks that import from others, so that unused exports can be removed',
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
    for (const endpoints of ENDPOINT_STACKS) {
      const stack = synthesized(name).stacks.get(`evalgate-${name}-${endpoints}`);
      expect(stack?.dependencies).toContain(`evalgate-${name}-evaluator`);
    }
  },
);
