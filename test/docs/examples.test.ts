import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../support/api.ts';
import { listening } from '../support/listening.ts';
import { aRepository, jobClaims, sharedIssuer } from '../support/oidc.ts';
import { temporaryFolder } from '../support/service.ts';
import { blocksOf, pages, readPage } from './pages.ts';
import { bash, type Said } from './shell.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => Workflow };

interface Workflow {
  readonly jobs: {
    readonly gate: { readonly env?: Record<string, string>; readonly steps: readonly Step[] };
  };
}
interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
}

const PRINTED_URL = 'http://127.0.0.1:3000';
const GOOD = 'You can return it within 30 days.';
const WORSE = 'You can return it within 14 days.';

/** Where somebody has started the service and opens a second shell. */
const folder = temporaryFolder();
const url = sharedServiceUrl();
/** What the blocks of each page said, pasted one after the other into one shell. */
const said = new Map<string, Said>();

/** Some examples use jq, which GitHub's runners have: without it their tests are skipped, but never in CI. */
const hasJq = spawnSync('jq', ['--version']).status === 0 || Boolean(process.env.CI);

const withExamples = pages.filter((page) => {
  const blocks = blocksOf(page, 'sh');
  return blocks.length > 0 && (hasJq || !blocks.some((block) => block.includes('jq ')));
});

beforeAll(async () => {
  const { body } = await api(url)('POST', '/v1/auth/signup', { name: 'Reader' });
  mkdirSync(path.join(folder, '.evalgate'));
  writeFileSync(path.join(folder, '.evalgate/api-key'), body.data.api_key.key);
  for (const page of withExamples) {
    const script = blocksOf(page, 'sh').join('\n').replaceAll(PRINTED_URL, url);
    said.set(page.file, await bash(script, { cwd: folder }));
  }
});

const answersOf = (file: string): string[] => said.get(file)?.stdout.trim().split('\n') ?? [];

test.each(withExamples)(
  'the examples of $file run as they are printed, and nothing is refused',
  ({ file }) => {
    expect(said.get(file)).toMatchObject({ code: 0, stderr: '' });
    expect(answersOf(file).join('')).not.toBe('');
    expect(said.get(file)?.stdout).not.toContain('"error":{"code"');
  },
);

test('the README shows what its examples answer', () => {
  const [shown = ''] = blocksOf(readPage('README.md'), 'json');
  const runs = answersOf('README.md')
    .filter((line) => line.includes('"pass_rate"'))
    .map((line) => JSON.parse(line));
  const printed = shown.split(/\n(?=\{)/).map((text) => JSON.parse(text));
  expect(printed).toHaveLength(2);
  for (const [index, { id, failures, ...figures }] of printed.entries()) {
    expect(runs[index]).toMatchObject(figures);
    expect(runs[index].id.startsWith(id.replace('…', ''))).toBe(true);
    expect(runs[index].failures).toMatchObject(failures);
    expect(runs[index].failures).toHaveLength(failures.length);
  }
});

test('the usage after the checkout of the billing page is that of the plan that was bought', () => {
  const usage = JSON.parse(answersOf('docs/billing.md').at(-1) ?? '');
  expect(usage).toMatchObject({ plan: 'pro', monthly_limit: 15_000 });
});

function gateOf(file: string, nth = 0): { readonly script: string; readonly env: Record<string, string> } {
  const yaml = blocksOf(readPage(file), 'yaml')[nth] ?? '';
  const { env, steps } = load(yaml).jobs.gate;
  const step = steps.find(({ name }) => name === 'Gate');
  return { script: step?.run ?? '', env: { ...env, ...step?.env } };
}

const describeWorkflow = hasJq ? describe : describe.skip;

describeWorkflow('the workflow with a stored key', () => {
  /** GitHub's own shell for a step that names none. */
  async function gate(answer: string, env: Record<string, string> = {}) {
    const items = [
      { case: 'refund-window', output: answer },
      { case: 'no-promises', output: 'I cannot say' },
      { case: 'opening-hours', output: '9 to 5' },
    ];
    const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
    writeFileSync(path.join(folder, 'answers.jsonl'), lines);
    const { script, env: named } = gateOf('docs/ci.md', 1);
    expect(named.EVALGATE_API_KEY).toBe('$' + '{{ secrets.EVALGATE_API_KEY }}');
    const apiKey = readFileSync(path.join(folder, '.evalgate/api-key'), 'utf8').trim();
    const secrets = { EVALGATE_URL: url, EVALGATE_API_KEY: apiKey };
    return bash(script, { cwd: folder, env: { ...secrets, ...env }, flags: ['-e'] });
  }

  test.each([
    ['0 when the run is cleared', '30 days', {}, 0, ''],
    ['1 when it is aborted, and says why', '14 days', {}, 1, 'must_pass: failed, 1 of 0'],
    ['2 when the credential is refused', '30 days', { EVALGATE_API_KEY: 'egk_wrong' }, 2, 'UNAUTHORIZED'],
    ['2 when the service cannot be reached', '30 days', { EVALGATE_URL: 'http://127.0.0.1:1' }, 2, ''],
  ])('ends with %s', async (_, answer, env, code, why) => {
    expect(await gate(answer, env)).toMatchObject({ code, stdout: expect.stringContaining(why) });
  });
});

describeWorkflow('a data set', () => {
  const DATASETS = 'docs/datasets.md';

  test('is answered as its page shows', () => {
    const [shown = ''] = blocksOf(readPage(DATASETS), 'json');
    const [verdict, ...gates] = shown.trim().split('\n');
    const said = answersOf(DATASETS);
    const verdicts = said.filter(
      (line) => line.includes('"outputs_digest":"sha256') && line.includes('"scores"'),
    );
    expect(verdicts).toHaveLength(1);
    expect(JSON.parse(verdicts[0] ?? '')).toMatchObject(JSON.parse(verdict ?? ''));
    const gateLines = said.filter((line) => line.startsWith('{"gate":')).map((line) => JSON.parse(line));
    expect(gateLines).toEqual(gates.map((line) => JSON.parse(line)));
    const again = JSON.parse(said.at(-1) ?? '');
    const { suite_digest, outputs_digest } = JSON.parse(verdicts[0] ?? '');
    expect(again).toEqual({ status: 'cleared', suite_digest, outputs_digest });
  });
});

describeWorkflow('the workflow without a stored key', () => {
  test('exchanges its OIDC token, and ends as the gate does', async () => {
    const [project] = answersOf('README.md').map((line) => JSON.parse(line));
    const { script } = gateOf('docs/ci.md');
    const repository = aRepository('octo-org/support-bot');
    const github = createServer((request, response) => {
      const audience = new URL(request.url ?? '', 'http://github').searchParams.get('audience');
      expect(request.headers.authorization).toBe('bearer of-the-job');
      const claims = jobClaims(String(audience).replace('evalgate:', ''), repository);
      response.end(JSON.stringify({ value: sharedIssuer().token(claims) }));
    });
    const { url: githubUrl, stop } = await listening(github);
    const gate = async (answer: string, attempt: string) => {
      writeFileSync(path.join(folder, 'answer.txt'), answer);
      return bash(script, {
        cwd: folder,
        flags: ['-e', '-o', 'pipefail'],
        env: {
          EVALGATE_URL: url,
          EVALGATE_ORG: project.data.org_id,
          ACTIONS_ID_TOKEN_REQUEST_URL: `${githubUrl}/token?api=1`,
          ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
          GITHUB_SHA: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
          GITHUB_RUN_ID: '42',
          GITHUB_RUN_ATTEMPT: attempt,
        },
      });
    };
    try {
      expect(await gate(GOOD, '1')).toMatchObject({ code: 0 });
      const aborted = await gate(WORSE, '2');
      expect(aborted.code).toBe(1);
      expect(aborted.stdout).toContain('return window: missing all of 1 value');
    } finally {
      await stop();
    }
  });
});
