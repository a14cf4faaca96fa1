import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { INPUTS } from '../../../clients/action/job/inputs.ts';
import { OUTPUTS } from '../../../clients/action/outputs.ts';
import { blocksOf, pages } from '../../docs/pages.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';
import { actionYml } from './runnerStandIn.ts';

const BUNDLE_BYTES_MAX = 250_000;

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Workflow {
  readonly on: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { permissions?: Readonly<Record<string, string>>; steps: readonly Step[] }>
  >;
}

test('action.yml names the inputs that the code reads, with its defaults', () => {
  const named = Object.entries(actionYml.inputs).map(([name, { default: value = '' }]) => [name, value]);
  expect(Object.fromEntries(named)).toEqual({ ...INPUTS, 'github-token': '$' + '{{ github.token }}' });
});

test('action.yml names the outputs that the code sets', () => {
  expect(Object.keys(actionYml.outputs)).toEqual([...OUTPUTS]);
});

test('the bundle runs on the Node of the runners, and has at most 250 kB', () => {
  expect(actionYml.runs).toEqual({ using: 'node24', main: 'clients/action/dist/index.mjs' });
  expect(statSync(path.join(REPOSITORY_DIR, actionYml.runs.main)).size).toBeLessThanOrEqual(BUNDLE_BYTES_MAX);
});

const examples = pages.flatMap((page) =>
  blocksOf(page, 'yaml')
    .filter((block) => block.includes('OWNER/evalgate@'))
    .map((block, index): [string, Workflow | readonly Step[]] => [
      `${page.file}, ${index + 1}`,
      parse(block),
    ]),
);
const workflows = examples.filter((example): example is [string, Workflow] => !Array.isArray(example[1]));
const stepsOf = (example: Workflow | readonly Step[]): readonly Step[] =>
  'jobs' in example ? Object.values(example.jobs).flatMap((job) => job.steps) : example;

describe.each(examples)('the example of %s', (_, example) => {
  const steps = stepsOf(example);

  test('gives the action inputs that it has, by commit', () => {
    for (const { uses, with: given = {} } of steps.filter((step) => step.uses?.includes('/evalgate@'))) {
      expect(uses).toBe('OWNER/evalgate@<sha>');
      expect(Object.keys(actionYml.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
      if (!['plan', 'push'].includes(String(given.command))) expect(given).toHaveProperty('suite');
    }
  });

  test('puts nothing of an event or an output into a shell but by variables', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });
});

test.each(workflows)('the workflow of %s asks for the token of the job that runs the gate', (_, workflow) => {
  for (const job of Object.values(workflow.jobs)) {
    if (!job.steps.some(({ uses }) => uses?.includes('/evalgate@'))) continue;
    expect((job.permissions ?? workflow.permissions)?.['id-token']).toBe('write');
  }
});

test.each([
  ['index.mjs', ['js-yaml']],
  ['suites.mjs', ['ajv', 'js-yaml', 'zod']],
])(
  'the bundle %s imports modules of Node only, and carries the licences of the packages in it',
  (name, packages) => {
    const bundle = readFileSync(path.join(REPOSITORY_DIR, 'clients/action/dist', name), 'utf8');
    const imported = [...bundle.matchAll(/(?<!")\bfrom\s*"([^"]+)"/g)].map(([, module]) => module);
    expect(imported.filter((module) => !module?.startsWith('node:'))).toEqual([]);
    for (const one of packages) expect(bundle).toMatch(new RegExp(`^${one}\n\n`, 'm'));
    // Plans and pushes alone load schemas and scorers.
    expect(/exact_match/.test(bundle)).toBe(name === 'suites.mjs');
  },
);
