import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));

const read = (name: string) => readFileSync(path.join(place.folder, name), 'utf8');
const idIn = (text: string) => /run_\w+/.exec(text)?.[0] ?? '';

test('a cleared run is 0, and an aborted one 1 with the reasons of its failures', async () => {
  const good = await place.cli(['run', 'returns', '--output', 'good.txt']);
  expect(good).toMatchObject({ code: 0, stderr: `Running returns at ${url}\n` });
  expect(good.stdout).toMatch(
    /^returns {2}bot {2}run_\w+ {2}[\d.]+ s\ncleared: pass rate 100.0 % ≥ 100.0 %\n {2}1 more case that fails would have it aborted, such as window\n/,
  );
  const bad = await place.cli(['run', 'returns', '--output', 'bad.txt']);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/\naborted by pass_rate \(pass rate 0\.0 % < 100\.0 %\)\n/);
  expect(bad.stdout).toMatch(/✗ window {2}0\.00 < 0\.50 {2}missing all of 1 value: "30 days"/);
});

test('metadata sent with a run is kept with it', async () => {
  const args = ['--output', '-', '--input', '{"a": 1}', '--meta', 'sha=1f=2', '--meta', 'pr=7', '--json'];
  const { code, stdout } = await place.cli(['run', 'returns', ...args], { stdin: '30 days' });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    status: 'cleared',
    trigger: 'cli',
    trigger_meta: { sha: '1f=2', pr: '7' },
    suite: { slug: 'returns', project_slug: 'bot' },
  });
});

test('each case judges its own output, and a line may answer several', async () => {
  place.file(
    'answers.jsonl',
    '{"case": ["window", "refund"], "output": "30 days"}\n\n{"case": "letter", "error": "no answer"}\r\n{"case": "typo", "output": ""}\n',
  );
  const { code, stdout, stderr } = await place.cli(['run', 'returns', '--outputs', 'answers.jsonl']);
  expect(code).toBe(3);
  expect(stdout).toMatch(/\ninconclusive by pass_rate: 1 case could not be judged\n/);
  expect(stdout).toMatch(/surplus: 1 output of unknown or inactive cases: typo\n/);
  expect(stdout).toMatch(/\? letter {2}could not be judged: .*no answer/);
  expect(stderr).toMatch(/^answers\.jsonl:4:1: warning: the output is empty, and is judged as it is$/m);
});

test('a run that is sent without waiting is 0, and its verdict can be waited for', async () => {
  const sent = await place.cli(['run', 'returns', '--output', 'bad.txt', '--async']);
  expect(sent).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^run_\w+\n$/),
    stderr: expect.stringContaining('Its verdict: evalgate wait run_'),
  });
  const waited = await place.cli(['wait', sent.stdout.trim()]);
  expect(waited.code).toBe(1);
  expect(waited.stdout).toContain('aborted by pass_rate');
  const results = await place.cli(['results', sent.stdout.trim(), '--failed']);
  expect(results.code).toBe(0);
  expect(results.stdout.match(/✗/g)).toHaveLength(3);
  expect(results.stdout).toContain('    output: never');
});

test('commands with one idempotency key are one run', async () => {
  const args = ['run', 'returns', '--output', 'good.txt', '--idempotency-key', 'build-1'];
  const [one, other] = [await place.cli(args), await place.cli(args)];
  expect(idIn(one.stdout)).toBe(idIn(other.stdout));
  const changed = await place.cli([...args.slice(0, 3), 'bad.txt', ...args.slice(4)]);
  expect(changed.code).toBe(2);
  expect(changed.stderr).toContain('--idempotency-key');
});

test('reports go to files and to stdout, and text gives way to data', async () => {
  const files = [
    'junit=out/reports/report.xml',
    'markdown=report.md',
    'jsonl=report.jsonl',
    'text=report.txt',
  ];
  const reports = files.flatMap((report) => ['--report', report]);
  const { code, stdout } = await place.cli(['run', 'returns', '--output', 'bad.txt', ...reports]);
  expect(code).toBe(1);
  expect(stdout).toBe(read('report.txt'));
  expect(read('out/reports/report.xml')).toContain('<testcase name="window" classname="bot.returns"');
  expect(read('report.md')).toContain('aborted by');
  expect(
    read('report.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).key),
  ).toEqual(['window', 'refund', 'letter']);
  const json = await place.cli(['run', 'returns', '--output', 'bad.txt', '--report', 'json']);
  expect(JSON.parse(json.stdout)).toMatchObject({ run: { status: 'aborted' }, results: [{}, {}, {}] });
  expect(json.stderr).toContain('aborted by pass_rate');
});

test('annotations and JUnit name the lines of cases in a suite of the repository', async () => {
  mkdirSync(path.join(place.folder, 'evals'));
  place.file('evalgate.yaml', 'version: 1\nproject: bot\n');
  place.file(
    'evals/returns.suite.yaml',
    'version: 1\nsuite: returns\ncases:\n  - key: refund\n    input: {}\n',
  );
  const bad = ['run', 'returns', '--output', 'bad.txt', '--report'];
  const { stdout } = await place.cli([...bad, 'github']);
  expect(stdout).toMatch(/^::error title=refund,file=evals\/returns\.suite\.yaml,line=4::/m);
  expect(stdout).toMatch(/^::error title=window::/m);
  const junit = (await place.cli([...bad, 'junit'])).stdout;
  expect(junit).toMatch(/<testcase name="refund"[^>]* file="evals\/returns\.suite\.yaml" line="4"/);
  const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'workflow_run', EVALGATE_PROJECT: 'bot' };
  const foreign = await place.cli([...bad, 'github'], { env });
  expect([foreign.code, foreign.stdout]).toEqual([1, expect.not.stringContaining('file=')]);
  rmSync(path.join(place.folder, 'evals'), { recursive: true });
  rmSync(path.join(place.folder, 'evalgate.yaml'));
});

test('a report that can not be written is 2 for a cleared run, and changes no other verdict', async () => {
  const report = ['--report', 'junit=good.txt/report.xml'];
  const good = await place.cli(['run', 'returns', '--output', 'good.txt', ...report]);
  expect(good.code).toBe(2);
  expect(good.stdout).toContain('cleared');
  expect(good.stderr).toContain(
    'warning: the junit report could not be written: something else is in its place (good.txt/report.xml)',
  );
  expect(await place.cli(['run', 'returns', '--output', 'bad.txt', ...report])).toMatchObject({ code: 1 });
});

test('inside GitHub Actions a run leaves annotations, a summary and outputs, and its log no command of a model', async () => {
  place.file('summary.md', 'before\n');
  place.file('output', '');
  place.file('hostile.txt', 'never\n::add-mask::x\n##[error]y');
  const env = {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: path.join(place.folder, 'summary.md'),
    GITHUB_OUTPUT: path.join(place.folder, 'output'),
  };
  const { code, stdout, stderr } = await place.cli(['run', 'returns', '--output', 'hostile.txt'], { env });
  expect(code).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  const commands = lines
    .filter((line) => line.startsWith('::'))
    .map((line) => line.slice(2).split(/[ :]/)[0]);
  const token = commands[1];
  expect(lines[0]).toBe(`::stop-commands::${token}`);
  expect(commands).toEqual(['stop-commands', token, 'error', 'error', 'error', 'error']);
  expect(stdout + stderr).not.toContain('##[');
  expect(read('summary.md')).toMatch(/^before\n### ❌/);
  expect(read('output')).toMatch(/^status<<(.+)\naborted\n\1$/m);
});

test('inside GitHub Actions data on stdout is data only', async () => {
  const args = ['run', 'returns', '--output', 'bad.txt', '--json'];
  const { code, stdout, stderr } = await place.cli(args, { env: { GITHUB_ACTIONS: 'true' } });
  expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 1, status: 'aborted' });
  expect(stderr).toMatch(/^::error title=evalgate/m);
});

/** Elsewhere no file is full. */
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('data that can not be written is 2, and changes no other verdict', async () => {
  const command = (output: string) => ['run', 'returns', '--output', output, '--report', 'json'];
  expect(await place.cli(command('good.txt'), { stdout: '/dev/full' })).toMatchObject({ code: 2 });
  expect(await place.cli(command('bad.txt'), { stdout: '/dev/full' })).toMatchObject({ code: 1 });
});

test('a reader that goes away changes no verdict', async () => {
  const { child, ended } = place.start(['run', 'returns', '--output', 'bad.txt', '--report', 'json']);
  child.stdout?.destroy();
  expect((await ended).code).toBe(1);
});

test('open finds the suite, and prints the address of its page', async () => {
  const opened = await place.cli(['open', 'returns']);
  expect(opened).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http:\S+\/app\/p\/bot\/s\/returns\n$/),
  });
  expect(await place.cli(['open', 'retruns'])).toMatchObject({ code: 2, stdout: '' });
});

test('runs, trends and regressions are read by the suite’s slug or id', async () => {
  const runs = await place.cli(['runs', 'returns', '--limit', '2']);
  expect(runs.stdout).toMatch(
    /^(run_\w+ {2}(cleared|aborted|inconclusive) {2}[\d.]+ % {2}\S+ {2}no branch named\n){2}$/,
  );
  const none = await place.cli(['runs', 'returns', '--branch', 'feature']);
  expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no such runs') });
  expect((await place.cli(['runs', '--pull-request', '7'])).code).toBe(2);
  const all = await place.cli(['runs']);
  expect(all.stdout).toMatch(/^returns {2}bot {2}run_\w+/);
  const json = await place.cli(['runs', gated.suiteId, '--json']);
  expect(JSON.parse(json.stdout)[0]).toMatchObject({ suite_id: gated.suiteId });
});

test('on Free, trends and regressions name the command by which a laptop gets Pro, and that nothing is paid there', async () => {
  for (const command of ['trends', 'regressions']) {
    const { code, stderr } = await place.cli([command, 'returns']);
    expect(code).toBe(2);
    expect(stderr).toContain('upgrade with `evalgate api POST /v1/billing/checkout -f plan=pro`.');
    expect(stderr).toMatch(/\nOpen the checkout_url that it answers, and press Pay: .* no money moves\.\n$/);
  }
  const { stdout } = await place.cli(['api', 'POST', '/v1/billing/checkout', '-f', 'plan=pro']);
  const { checkout_url } = JSON.parse(stdout);
  expect((await fetch(checkout_url, { method: 'POST' })).ok).toBe(true);
  await eventually(async () => (await place.cli(['trends', 'returns'])).code === 0);
});
