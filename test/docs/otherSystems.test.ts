import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { inThisProcess } from '../clients/cli/inProcess.ts';
import { makeGate } from '../functions/runs/gate.ts';
import { sharedServiceUrl } from '../support/api.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, readPage } from './pages.ts';
import { bash } from './shell.ts';

const BRANCHES = [
  'CI_COMMIT_REF_NAME',
  'BUILDKITE_BRANCH',
  'CIRCLE_BRANCH',
  'BRANCH_NAME',
  'BITBUCKET_BRANCH',
];

/** The variable by which the command line knows a job of the system. */
const SIGNS: Readonly<Record<string, string>> = {
  GitLab: 'GITLAB_CI',
  Buildkite: 'BUILDKITE',
  CircleCI: 'CIRCLECI',
  Jenkins: 'JENKINS_URL',
  'Azure DevOps': 'TF_BUILD',
  Bitbucket: 'BITBUCKET_BUILD_NUMBER',
};

const [, rest = ''] = readPage('docs/ci.md').text.split('\n## Other systems\n');
const [heading = '', ...sections] = (rest.split('\n## ')[0] ?? '').split('\n### ');
const systems = sections.map((text) => ({ name: text.split('\n')[0] ?? '', text }));

const folder = temporaryFolder();
const url = sharedServiceUrl();
let gate: Awaited<ReturnType<typeof makeGate>>;
let apiKey: string;
beforeAll(async () => {
  gate = await makeGate(url, { name: 'Answers' });
  await gate.add({}, { key: 'refund-window', name: 'refund window' });
  const key = { name: 'CI', scope: 'run', project: gate.project.slug };
  apiKey = (await gate.client('POST', '/v1/api-keys', key)).body.data.key;
});

test('the table of docs/ci.md has each system that has a snippet', () => {
  const rows = [...heading.matchAll(/^\| \[([^\]]+)\]/gm)].map(([, name]) => name);
  expect(rows).toEqual(systems.map(({ name }) => name));
  expect(rows).toHaveLength(6);
});

test.each(systems)(
  'the snippet for $name gates by its exit code, with the branch',
  async ({ name, text }) => {
    for (const yaml of blocksOf({ file: '', text }, 'yaml')) expect(typeof parse(yaml)).toBe('object');
    const [command = ''] = /npx [^\n]*evalgate run [^\n]*/.exec(text.replaceAll('$$', '$')) ?? [];
    const branch = `feature/${name.toLowerCase().replaceAll(' ', '-')}`;
    const named = Object.fromEntries(BRANCHES.map((variable) => [variable, branch]));
    const env = { ...named, BUILD_SOURCEBRANCH: `refs/heads/${branch}`, EVALGATE_URL: url };
    const script = `npx() { printf '%s\\n' "$@"; }\n${command.replace(/'$/, '')}`;
    const words = (await bash(script, { cwd: folder, env })).stdout.trim().split('\n');
    expect(words.slice(0, 4)).toEqual(['--yes', '--package', `${url}/client/evalgate.tgz`, 'evalgate']);
    for (const [output, code] of [
      ['ok', 0],
      ['no', 1],
    ] as const) {
      writeFileSync(path.join(folder, 'answers.jsonl'), `{"case": "refund-window", "output": "${output}"}\n`);
      const io = { cwd: folder, env: { ...env, [String(SIGNS[name])]: '1', EVALGATE_API_KEY: apiKey } };
      expect(await inThisProcess(words.slice(4), io)).toMatchObject({ code });
    }
    const listed = `/v1/suites/${gate.suite.id}/runs?branch=${encodeURIComponent(branch)}`;
    expect((await gate.client('GET', listed)).body.data).toHaveLength(2);
    const keyless = await inThisProcess(words.slice(4), { cwd: folder, env: { EVALGATE_URL: url } });
    expect(keyless.code).toBe(2);
  },
);
