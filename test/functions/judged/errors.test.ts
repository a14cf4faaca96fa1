import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Run } from '../../../shared/contracts/runs.ts';
import { JUDGE_ERROR_CODES } from '../../../shared/domain/evaluation/judging/ports.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { REPOSITORY_DIR } from '../../support/processes.ts';
import { failure, verdict } from '../../support/providers.ts';
import { ended, submit } from '../../support/stage.ts';
import { type Gate, resultsOf } from '../runs/gate.ts';
import { judgeOf, makeJudgedGate } from './gate.ts';
import { WRONGS } from './wrongs.ts';

const NAMES = Object.keys(WRONGS);
const modelOf = (name: string): string => `model-of-${name.replaceAll(' ', '-')}`;

let stage: OwnStage;
let gate: Gate & { orgId: string };
let run: Run;
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
let results: Map<string, any>;

/** One run of a suite in which each case goes wrong in its own way, between two that do not. */
beforeAll(async () => {
  stage = await startOwnStage(({ env }) => ({
    JUDGE_CALL_TIMEOUT_MS: '2500',
    JUDGE_ENDPOINT_ALLOWLIST: `${env.JUDGE_ENDPOINT_ALLOWLIST},judge.example.com:443,127.0.0.1:9`,
  }));
  const answers = new Map(NAMES.map((name) => [modelOf(name), WRONGS[name]?.answer]));
  stage.providers.always('all', (call, response) => (answers.get(call.model) ?? verdict())(call, response));
  gate = await makeJudgedGate(stage, { suite: { pass_threshold: 0.5 } });
  for (const provider of ['anthropic', 'azure_openai'])
    await gate.client('POST', '/v1/byok-keys', { provider, key: 'sk-unused-key-0123' });
  for (const name of NAMES) {
    const { provider = 'openai', model = modelOf(name), code, scale } = WRONGS[name]!;
    const judge = judgeOf(stage.providers, provider, {
      model: name === 'no model' ? undefined : model,
      scale,
    });
    const scorer = await makeScorer(gate.client, gate.project, judge);
    // Even a threshold of 0 lets no error pass.
    await makeCase(gate.client, gate.suite, scorer, { name, threshold: 0, description: code });
  }
  await gate.add({ config: { values: ['Paris'] } }, { name: 'Says Paris' });
  // Endpoints that were allowed when their scorers were written, and no longer are.
  await stage.reload({
    JUDGE_ENDPOINT_ALLOWLIST: stage.providers.env.JUDGE_ENDPOINT_ALLOWLIST ?? '',
  });
  run = await ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output: 'Paris' }));
  results = new Map((await resultsOf(gate.client, run.id)).map((result) => [result.case_name, result]));
});
afterAll(() => stage.stop());

describe.each(NAMES)('a case that meets %s', (name) => {
  const { code, calls, said } = WRONGS[name]!;

  test(`fails with ${code} and a reason, and costs at most ${calls} calls`, () => {
    const result = results.get(name);
    expect(result).toMatchObject({ passed: false, score: 0, threshold: 0 });
    expect(result.scorer_output).toMatchObject({ error: code, ...said });
    if (calls === 0) expect(result.scorer_output).toEqual({ error: code });
    if (said && 'finish_reason' in said) expect(result.scorer_output.answered_model).toBe(modelOf(name));
    expect(result.reason).toMatch(/\w+ \w+ \w+/);
    const made = stage.providers.calls.filter(({ model }) => model === modelOf(name));
    expect(made.length).toBeLessThanOrEqual(calls);
    expect(made.length > 0).toBe(calls > 0);
  });
});

test('the cases beside them, judged and not, keep their verdicts', () => {
  expect(results.get('Judged 0')).toMatchObject({ passed: true, score: 1 });
  expect(results.get('Says Paris')).toMatchObject({ passed: true, score: 1 });
});

test('the run counts them as errored and is inconclusive', () => {
  expect(run).toMatchObject({
    status: 'aborted',
    inconclusive: true,
    total_cases: NAMES.length + 2,
    passed_cases: 2,
    failed_cases: NAMES.length,
    errored_cases: NAMES.length,
  });
});

test('a rate limit that ends after Retry-After costs the verdict nothing', async () => {
  const limited = await makeJudgedGate(stage, { config: { model: 'limited-once' } });
  stage.providers.next('openai', failure(429, { headers: { 'retry-after': '1' } }));
  expect(await limited.run('Paris')).toMatchObject({ status: 'cleared', errored_cases: 0 });
  expect(stage.providers.calls.filter(({ model }) => model === 'limited-once')).toHaveLength(2);
});

test('every code of a judge is met here, but for the one that takes ten minutes', () => {
  const met = new Set(Object.values(WRONGS).map(({ code }) => code));
  const missing = JUDGE_ERROR_CODES.filter((code) => !met.has(code));
  expect(missing).toEqual(['JUDGE_CONCURRENCY_EXCEEDED']);
});

test('docs/errors.md names every code that a case can fail with', () => {
  const page = readFileSync(path.join(REPOSITORY_DIR, 'docs/errors.md'), 'utf8');
  const CODE = /'((?:BYOK|JUDGE|MODEL|ENDPOINT|EVALUATION|EXPECTED|REGEX|SCHEMA|CONTAINS|SCORER)_[A-Z_]+)'/g;
  const codes = ['judge', 'scoring', 'domain'].flatMap((folder) => {
    const at = path.join(REPOSITORY_DIR, 'shared', folder);
    const files = readdirSync(at, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    return files.flatMap((name) =>
      [...readFileSync(path.join(at, name), 'utf8').matchAll(CODE)].map(([, code = '']) => code),
    );
  });
  expect(new Set(codes).size).toBeGreaterThanOrEqual(17);
  // Why a case is not compared with a baseline is no error of it.
  const ofCases = new Set(codes.filter((code) => code !== 'JUDGE_DRIFT'));
  const rows = page.split('\n').filter((line) => line.startsWith('- `'));
  for (const code of ofCases) {
    expect({ code, named: rows.some((row) => row.split(' (')[0]?.includes(`\`${code}\``)) }).toEqual({
      code,
      named: true,
    });
  }
});
