import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type Api, api } from '../../support/api.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { launchBrowser, PAGE_HANG_MS } from '../../support/chromium.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { type RunningService, startService, temporaryFolder } from '../../support/service.ts';

/** A scorer that the product does not have: it scores 1 where the output ends as configured. */
const ENDS_WITH = `import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import type { DeterministicScorer, ScorerError } from '../kit/definition.ts';
import { erroredOutcome } from '../kit/errors.ts';

const EMPTY: ScorerError = {
  code: 'OUTPUT_EMPTY',
  fault: 'candidate',
  reason: 'an empty output has no end: send one',
};
const configSchema = described(
  z.strictObject({
    suffix: described(z.string().min(1), { label: 'Last words', hint: 'Without a line break.' }),
    strict: described(z.boolean().default(false), { label: 'Blanks at the end count' }),
  }),
  { label: 'Ends with', hint: 'The output ends with a text.' },
);

export const endsWith: DeterministicScorer<z.infer<typeof configSchema>> = {
  type: 'ends_with',
  configSchema: () => configSchema,
  errors: [EMPTY],
  check: ({ suffix }) =>
    suffix.includes('\\n') ? [{ path: 'config.suffix', message: 'must be one line' }] : [],
  compile: ({ suffix }) => ({
    guard: null,
    usesExpected: false,
    score({ text }) {
      if (text === '') return erroredOutcome(EMPTY);
      const score = text.endsWith(suffix) ? 1 : 0;
      const reason = score === 1 ? 'output ends as configured' : 'output ends otherwise';
      return { score, reason, output: { suffix, end: text.slice(-suffix.length) }, errored: false };
    },
    reset() {},
  }),
};
`;

/** A gate that the product does not have. */
const MAX_FAILED = `import { ofBar } from '../strictness.ts';
import { type Gate, statusOf } from './gate.ts';

type Result = readonly ['failed', 'p' | 'f' | 'i', observed: number, required: number];

export const maxFailed: Gate<Result> = {
  kind: 'failed',
  results({ cases, settings }) {
    const required = settings.gates.max_failed;
    if (required === undefined) return [];
    const failed = cases.filter(({ passed }) => !passed);
    const judged = failed.filter(({ errored }) => !errored);
    const letter = failed.length <= required ? 'p' : judged.length > required ? 'f' : 'i';
    return [['failed', letter, failed.length, required]];
  },
  answer: ([, letter, observed, required]) => ({
    gate: 'max_failed',
    ...statusOf(letter),
    observed,
    required,
  }),
  shares: () => [],
  effect: (before, after) => ofBar(-(before.max_failed ?? 1e6), -(after.max_failed ?? 1e6)),
  demands: () => [],
};
`;

const GATE_FIELD = `  max_failed: described(z.int().min(0), { label: 'Failed cases', bound: 'most', hint: 'Of all cases.' }),
`;

/** What a contributor does: the file of each, its line in the registry, and the field of the gate in its contract. */
function addKinds(copy: string): void {
  const edit = (file: string, ...changes: readonly (readonly [before: RegExp, after: string])[]) => {
    const before = readFileSync(path.join(copy, file), 'utf8');
    const after = changes.reduce((text, [from, to]) => text.replace(from, to), before);
    writeFileSync(path.join(copy, file), after);
  };
  writeFileSync(path.join(copy, 'shared/scoring/scorers/endsWith.ts'), ENDS_WITH);
  writeFileSync(path.join(copy, 'shared/scoring/verdict/gates/maxFailed.ts'), MAX_FAILED);
  edit(
    'shared/scoring/registry.ts',
    [/\n {2}llmJudge,\n/, '\n  llmJudge,\n  endsWith,\n'],
    [/^import \{ llmJudge \}/m, "import { endsWith } from './scorers/endsWith.ts';\n$&"],
  );
  edit(
    'shared/scoring/verdict/gates/registry.ts',
    [/\n {2}judges,\n\];/, '\n  judges,\n  maxFailed,\n];'],
    [/^import \{ regression \}/m, "import { maxFailed } from './maxFailed.ts';\n$&"],
  );
  edit('shared/contracts/gates.ts', [/^const fields = \{\n/m, `$&${GATE_FIELD}`]);
}

const WRITE_GENERATED = `
import { writeFileSync } from 'node:fs';
import { SCORER_TYPES_FILE, scorerTypesSource } from './scripts/documents/scorerTypes.ts';
writeFileSync(SCORER_TYPES_FILE, scorerTypesSource());
const { gateWordsFile } = await import('./clients/gateWords.ts');
const { file, text } = gateWordsFile();
writeFileSync(file, text);
`;

const COPIED = ['functions', 'shared', 'infra', 'clients', 'scripts', 'package.json', 'tsconfig.json'];

/** A copy of the product with both, and with what is generated of them. */
function copyWithKinds(): string {
  const copy = temporaryFolder();
  for (const name of COPIED)
    cpSync(path.join(REPOSITORY_DIR, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(REPOSITORY_DIR, 'node_modules'), path.join(copy, 'node_modules'));
  mkdirSync(path.join(copy, 'data'));
  addKinds(copy);
  execFileSync(NODE, ['--input-type=module', '-e', WRITE_GENERATED], { cwd: copy });
  return copy;
}

describeInBrowser('a scorer and a gate of a contributor', () => {
  let folder: string;
  let service: RunningService;
  let client: Api;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    folder = copyWithKinds();
    service = await startService({
      dataDir: path.join(folder, 'data'),
      command: [NODE, path.join(folder, 'infra/local/main.ts')],
    });
    // The repository's OpenAPI document knows neither.
    client = api(service.baseUrl, service.apiKey, () => {});
    browser = await launchBrowser();
    const context = await browser.newContext();
    context.setDefaultTimeout(PAGE_HANG_MS);
    page = await context.newPage();
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const begun = await page.request.post(`${service.baseUrl}/v1/auth/session`, { headers, data: {} });
    expect(begun.status()).toBe(201);
    await page.goto(`${service.baseUrl}/app`);
    await page.evaluate("localStorage.setItem('evalgate.signed-in', '1')");
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = (to: string) => page.goto(`${service.baseUrl}/app${to}`);
  const cli = (args: readonly string[], cwd: string): { readonly code: number; readonly text: string } => {
    const env = { ...process.env, EVALGATE_URL: service.baseUrl, EVALGATE_API_KEY: service.apiKey };
    try {
      const main = path.join(folder, 'clients/cli/main.ts');
      return { code: 0, text: execFileSync(NODE, [main, ...args], { cwd, env, encoding: 'utf8' }) };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { code: status, text: stdout + stderr };
    }
  };

  test('the forms have the scorer and the gate, and save the typed values', async () => {
    const project = await makeProject(client);
    await makeSuite(client, project, { slug: 'goodbyes', name: 'Goodbyes' });
    await open(`/p/${project.slug}`);
    await page.getByRole('button', { name: 'New scorer' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Ends well');
    await dialog.getByLabel('Type').selectOption({ label: 'Ends with' });
    await dialog.getByLabel('Last words').fill('Goodbye.');
    await dialog.getByLabel('Blanks at the end count').check();
    await dialog.getByRole('button', { name: 'Create scorer' }).click();
    await page.getByRole('heading', { name: 'Ends well' }).waitFor();
    await page.getByText('The output ends with a text.').waitFor();
    const { data } = (await client('GET', `/v1/projects/${project.slug}/scorers`)).body;
    expect(data).toMatchObject([{ type: 'ends_with', config: { suffix: 'Goodbye.', strict: true } }]);
    await open(`/p/${project.slug}/s/goodbyes`);
    await page.getByRole('button', { name: 'Edit the bar' }).click();
    await page.getByLabel('Failed cases, at most').fill('2');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('at most 2').waitFor();
    const suite = (await client('GET', `/v1/projects/${project.slug}/suites/goodbyes`)).body.data;
    expect(suite.gates).toEqual({ max_failed: 2 });
  });

  test('files with them are validated, and a plan states whether another value is weaker', async () => {
    const project = await makeProject(client);
    const files = path.join(folder, 'files');
    mkdirSync(path.join(files, 'evals'), { recursive: true });
    writeFileSync(path.join(files, 'evalgate.yaml'), `version: 1\nproject: ${project.slug}\n`);
    const write = (failed: string, suffix: string) =>
      writeFileSync(
        path.join(files, 'evals/goodbyes.suite.yaml'),
        `version: 1
suite: goodbyes
gates: { max_failed: ${failed} }
scorers:
  ends-well: { type: ends_with, config: { suffix: ${suffix} } }
cases:
  - { key: one, input: {}, scorer: ends-well }
`,
      );
    write('many', '""');
    const refused = cli(['validate'], files);
    expect(refused.code).not.toBe(0);
    expect(refused.text).toContain('max_failed');
    expect(refused.text).toContain('suffix');
    write('1', 'Goodbye.');
    expect(cli(['validate'], files)).toMatchObject({ code: 0 });
    expect(cli(['push', '--yes'], files)).toMatchObject({ code: 0 });
    write('3', 'Goodbye.');
    const plan = cli(['diff'], files);
    expect(plan.text).toContain('max_failed');
    expect(plan.text).toMatch(/weaker/);
  });

  test('a run is judged by both, and its page shows what they saw', async () => {
    const project = await makeProject(client);
    const suite = await makeSuite(client, project, { pass_threshold: 0, gates: { max_failed: 0 } });
    const scorer = await makeScorer(client, project, { type: 'ends_with', config: { suffix: 'Goodbye.' } });
    await makeCase(client, suite, scorer, { name: 'says goodbye' });
    const outcomes = [];
    for (const output of ['Thank you. Goodbye.', 'Thank you.', '']) {
      const body = { project: project.slug, suite: suite.slug, output };
      const { id, status, fault } = (await client('POST', '/v1/run', body)).body;
      const { data } = (await client('GET', `/v1/runs/${id}/results`)).body;
      outcomes.push([status, fault, data[0].reason, data[0].scorer_output]);
      await open(`/runs/${id}`);
      const gates = page.getByRole('region', { name: 'Gates' });
      if (status === 'cleared') await gates.getByText('2 gates, none failed').click();
      await gates.getByText('Failed cases', { exact: true }).waitFor();
      const seen = status === 'cleared' ? 'Failed cases: 0, 0 allowed' : 'Failed cases: 1, 0 allowed';
      await page.getByText(seen).waitFor();
    }
    expect(outcomes).toEqual([
      ['cleared', undefined, 'output ends as configured', { suffix: 'Goodbye.', end: 'Goodbye.' }],
      ['aborted', undefined, 'output ends otherwise', { suffix: 'Goodbye.', end: 'ank you.' }],
      ['aborted', 'candidate', 'an empty output has no end: send one', { error: 'OUTPUT_EMPTY' }],
    ]);
  });
});
