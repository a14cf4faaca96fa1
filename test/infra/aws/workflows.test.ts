import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ENVIRONMENT_NAMES } from '../../../infra/aws/environments.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => Workflow };

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly id?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly 'continue-on-error'?: unknown;
}
interface Job {
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
  readonly steps?: readonly Step[];
  readonly uses?: string;
  readonly with?: { readonly environment?: string };
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly secrets?: string;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
}
interface Workflow {
  readonly on: Readonly<Record<string, { readonly branches?: readonly string[] } | null>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(FOLDER);
const textOf = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
const stepsOf = ({ jobs }: Workflow): readonly Step[] =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps);

describe.each(files)('%s', (file) => {
  const text = textOf(file);
  const workflow = load(text);

  test('is a workflow that may do nothing but read unless a job states why', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(Object.keys(workflow.jobs).length).toBeGreaterThan(0);
  });

  test('uses actions by commit, with the version beside it', () => {
    for (const [, action = '', version] of text.matchAll(/uses: (\S+)( # v\d+\.\d+\.\d+)?$/gm)) {
      if (action.startsWith('./')) expect(existsSync(action)).toBe(true);
      else expect([/@[0-9a-f]{40}$/.test(action), version !== undefined]).toEqual([true, true]);
    }
  });

  test('holds no key of AWS, and puts nothing into a shell but variables', () => {
    expect(text).not.toMatch(/AKIA|aws[-_](access|secret|session)/i);
    for (const { run = '' } of stepsOf(workflow)) expect(run).not.toContain('${{');
  });
});

describe.each(files)('nothing in %s', (file) => {
  const workflow = load(textOf(file));

  test('runs with secrets on a pull request from a fork', () => {
    for (const trigger of Object.keys(workflow.on)) {
      expect(['push', 'pull_request', 'workflow_call', 'workflow_dispatch', 'schedule']).toContain(trigger);
    }
    expect(workflow.on.push?.branches ?? ['main']).toEqual(['main']);
  });

  test('fails unnoticed', () => {
    for (const job of Object.values(workflow.jobs)) expect(job).not.toHaveProperty('continue-on-error');
    for (const step of stepsOf(workflow)) {
      expect(step).not.toHaveProperty('continue-on-error');
      expect(step.run ?? '').not.toMatch(/\|\| *true|set \+e/);
    }
  });

  test('leaves a credential of the repository where packages run', () => {
    const steps = stepsOf(workflow);
    for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))) {
      expect(step.with?.['persist-credentials']).toBe(false);
    }
    for (const { run = '' } of steps.filter(({ env }) =>
      JSON.stringify(env ?? {}).includes('github.token'),
    )) {
      expect(run).not.toMatch(/\b(npm|npx|node)\b/);
    }
    expect(textOf(file)).not.toContain('secrets.GITHUB_TOKEN');
  });
});

test('every change is tested and synthesized for every environment', () => {
  const { jobs } = load(textOf('ci.yml'));
  expect(jobs.test?.steps?.map(({ run }) => run)).toContain('npm test');
  expect(jobs.synth?.strategy?.matrix.environment).toEqual(ENVIRONMENT_NAMES);
  expect(jobs.synth?.steps?.at(-1)?.run).toBe('npx cdk synth --quiet -c env="$ENVIRONMENT"');
});

test('a tested commit is deployed to dev, then by approval to staging, then to prod', () => {
  const { test: tests, ...deployments } = load(textOf('deploy.yml')).jobs;
  expect(tests?.steps?.map(({ run }) => run)).toContain('npm test');
  expect(Object.keys(deployments)).toEqual(ENVIRONMENT_NAMES);
  const order = Object.entries(deployments).map(([name, job]) => [job.needs, name, job.with?.environment]);
  expect(order).toEqual([
    ['test', 'dev', 'dev'],
    ['dev', 'staging', 'staging'],
    ['staging', 'prod', 'prod'],
  ]);
  // The approval rule belongs to the environment.
  expect(load(textOf('deploy-environment.yml')).jobs.deploy?.environment).toMatch(
    /^\$\{\{ inputs\.environment }}$/,
  );
});

test('a deployment assumes its role by OIDC, with its environment’s secrets, one at a time', () => {
  const { test: _, ...deployments } = load(textOf('deploy.yml')).jobs;
  const rights = { contents: 'write', 'id-token': 'write' };
  for (const { permissions, secrets } of Object.values(deployments)) {
    expect([permissions, secrets]).toEqual([rights, 'inherit']);
  }
  const { deploy } = load(textOf('deploy-environment.yml')).jobs;
  expect(deploy?.permissions).toEqual(rights);
  expect(deploy?.concurrency).toMatchObject({ 'cancel-in-progress': false });
});

test('nothing but main is deployed, also when started by hand', () => {
  const main = "github.ref == 'refs/heads/main'";
  expect(load(textOf('deploy-environment.yml')).jobs.deploy?.if).toBe(main);
  expect(load(textOf('deploy.yml')).jobs.test?.if).toBe(main);
});

const FAILED = "failure() && (steps.deploy.outcome == 'failure' || steps.smoke.outcome == 'failure')";
const ALL = [
  'npx cdk deploy --all -c env="$ENVIRONMENT" --require-approval never --outputs-file cdk.out/outputs.json 2>&1 |',
  'sed --unbuffered "$WITHOUT_OUTPUTS"',
  'jq --raw-output "$MASK_ORIGIN" cdk.out/outputs.json',
];
const GATE = 'node scripts/with-node.mjs scripts/smoke.ts cdk.out/outputs.json';
const linesOf = (step: Step | undefined): string[] =>
  (step?.run ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());

test('a deployment is proven by a gate, and taken back when it fails', () => {
  const steps = load(textOf('deploy-environment.yml')).jobs.deploy?.steps ?? [];
  const at = (find: (step: Step) => boolean): number => steps.findIndex(find);
  const becomes = ({ uses }: Step) => uses?.startsWith('aws-actions/configure-aws-credentials@') ?? false;
  const [credentials, deploy, smoke, mark, anew, back] = [
    at(becomes),
    at(({ id }) => id === 'deploy'),
    at(({ id }) => id === 'smoke'),
    at(({ run }) => run?.includes('/git/refs') ?? false),
    steps.findLastIndex(becomes),
    at(({ run, ...step }) => run !== undefined && step.if !== undefined),
  ];
  expect([credentials, deploy, smoke, mark, anew, back, steps.length]).toEqual([3, 4, 5, 6, 7, 8, 9]);
  const { with: role = {}, uses } = steps[credentials] ?? {};
  expect(Object.keys(role).sort()).toEqual(['aws-region', 'role-duration-seconds', 'role-to-assume']);
  // A rollback gets new credentials: those of a long deployment may have expired.
  expect(steps[anew]).toMatchObject({ with: role, uses, if: FAILED });
  expect([linesOf(steps[deploy]), linesOf(steps[smoke])]).toEqual([ALL, [GATE]]);
  for (const step of [deploy, smoke, mark]) expect(steps[step]).not.toHaveProperty('if');
  expect(steps[back]?.if).toBe(FAILED);
  const lines = linesOf(steps[back]);
  expect(lines.slice(-4)).toEqual([...ALL, GATE]);
  // Where there is nothing to go back to, the deployment stays failed.
  expect(lines).toContain('exit 1');
  expect(existsSync('scripts/smoke.ts')).toBe(true);
});

test('where the API is behind its edge is in no log', () => {
  const { deploy } = load(textOf('deploy-environment.yml')).jobs;
  const commands = (deploy?.steps ?? []).flatMap(
    ({ run = '' }) => run.replaceAll(/(?:\\|(?<=\|))\n\s*/g, ' ').match(/npx cdk .*/g) ?? [],
  );
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(command).toMatch(/ 2>&1 \| sed --unbuffered "\$WITHOUT_OUTPUTS"/);
  // Without pipefail a failed deployment would pass.
  expect(deploy?.defaults).toEqual({ run: { shell: 'bash' } });
  expect(deploy?.env?.WITHOUT_OUTPUTS).toBe('/evalgate-.* = /d');
  expect(deploy?.env?.MASK_ORIGIN).toBe(
    '.[].OriginUrl // empty | ltrimstr("https://") | ., split(".")[0] | "::add-mask::" + .',
  );
});
