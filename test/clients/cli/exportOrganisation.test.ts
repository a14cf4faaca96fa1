import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
const OUT = 'everything';
const RETURNS = 'projects/bot/suites/returns';

const at = (name: string, out = OUT) => path.join(place.folder, out, ...name.split('/'));
const text = (name: string, out = OUT) => readFileSync(at(name, out), 'utf8');
const lines = (name: string, out = OUT) =>
  text(name, out)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const exported = (out = OUT, env: Record<string, string> = {}) =>
  place.cli(['export', 'organisation', '--out', out], { env });

const runs: string[] = [];
let secrets: string[];

beforeAll(async () => {
  const { gate } = gated;
  await gate.suites.update('bot', 'returns', { keep_outputs: 'all' });
  for (const output of ['30 days', 'never', '30 days, or \u2028 never'])
    runs.unshift((await gate.runs.create({ suite: 'returns', output })).id);
  await gate.baselines.accept(gated.suiteId, { run_ids: [runs[2] ?? ''] });
  await gate.waivers.create(runs[1] ?? '', {
    reason: 'Ada: the new tone is intended',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { key } = await gate.apiKeys.create({ name: 'CI', scope: 'run' });
  await gate.byokKeys.create({ provider: 'openai', key: 'sk-of-the-provider-0123456789' });
  await gate.byokKeys.create({ provider: 'openai', key: 'sk-of-the-provider-9876543210', project: 'bot' });
  await gate.trustedIssuers.create({ repository: 'acme/bot' });
  secrets = [key, gated.apiKey, 'sk-of-the-provider'];
  expect(await exported()).toMatchObject({ code: 0, stdout: '' });
});

test('an export holds runs with results and waivers, baselines, bars, logs, usage and no secret', () => {
  expect(lines(`${RETURNS}/runs.jsonl`).map(({ id }) => id)).toEqual(runs);
  expect(lines(`${RETURNS}/runs.jsonl`)[1]).toMatchObject({ waiver: { reason: expect.any(String) } });
  const results = lines(`${RETURNS}/results.jsonl`);
  expect(results.map(({ run_id }) => run_id)).toEqual(runs.flatMap((id) => [id, id, id]));
  expect(results[0]).toMatchObject({ output_excerpt: '30 days, or \u2028 never' });
  expect(lines(`${RETURNS}/baselines.jsonl`)).toMatchObject([{ run_ids: [runs[2]] }]);
  expect(lines(`${RETURNS}/bars.jsonl`)).toMatchObject([{ first_run_id: runs[2], cases: { length: 3 } }]);
  expect(lines('api-keys.jsonl').map(({ name }) => name)).toEqual(['CI', 'first key']);
  expect(lines('trusted-issuers.jsonl')).toMatchObject([{ repository: 'acme/bot' }]);
  expect(lines('changes.jsonl').map(({ target }) => target.type)).toContain('byok_key');
  expect(lines('byok-keys.jsonl')).toMatchObject([{ project_id: null }]);
  expect(lines('projects/bot/byok-keys.jsonl')).toMatchObject([{ project_id: expect.any(String) }]);
  const usage = { current_usage: 3, by_project: [{ slug: 'bot', runs: 3 }] };
  expect(JSON.parse(text('organisation.json'))).toMatchObject({ usage });
  const files = readdirSync(at(''), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const all = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'utf8')).join();
  for (const secret of secrets) expect(all.includes(secret)).toBe(false);
  const { items } = JSON.parse(text('manifest.json'));
  expect(Object.keys(items).length).toBe(files.length - 1);
  expect(items[`${RETURNS}/results.jsonl`]).toBe(9);
});

test('suites of an export are files that are valid, and that the service has nothing to change by', async () => {
  const cwd = at('projects/bot');
  expect(await place.cli(['validate'], { cwd })).toMatchObject({ code: 0 });
  expect(await place.cli(['diff', '--exit-code'], { cwd })).toMatchObject({ code: 0 });
});

test('what the scope does not show is named, with exit code 2, and all else is written', async () => {
  const { key } = await gated.gate.apiKeys.create({ name: 'Auditor', scope: 'read' });
  const { code, stderr } = await exported('seen', { EVALGATE_API_KEY: key });
  expect(code).toBe(2);
  const { left_out, items } = JSON.parse(text('manifest.json', 'seen'));
  const hidden = [
    'api-keys.jsonl',
    'byok-keys.jsonl',
    'trusted-issuers.jsonl',
    'sign-in.json',
    'changes.jsonl',
  ];
  hidden.push('projects/bot/byok-keys.jsonl', 'projects/bot/changes.jsonl', `${RETURNS}/changes.jsonl`);
  expect(left_out.map(({ what }: { what: string }) => what)).toEqual(hidden);
  for (const name of hidden) {
    expect(stderr).toContain(`warning: ${name} is left out: This credential may read projects`);
    expect(existsSync(at(name, 'seen')) || existsSync(at(`${name}.part`, 'seen'))).toBe(false);
  }
  expect(items[`${RETURNS}/results.jsonl`]).toBe(9);
});

test('a key of a project, and one of scope run, write nothing', async () => {
  const bound = await gated.gate.apiKeys.create({ name: 'Bot', project: 'bot', scope: 'read' });
  const { code, stderr } = await exported('bound', { EVALGATE_API_KEY: bound.key });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('project bot') });
  expect(await exported('bound', { EVALGATE_API_KEY: secrets[0] ?? '' })).toMatchObject({ code: 2 });
  expect(existsSync(at('', 'bound'))).toBe(false);
});

test('a folder with anything but an unfinished export of the organisation is refused, and stays as it is', async () => {
  const before = text('manifest.json');
  expect(await exported()).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
  expect(text('manifest.json')).toBe(before);
  writeFileSync(at('unfinished.jsonl'), '{"url":"https://elsewhere.example","organisation":"another"}\n');
  expect(await exported()).toMatchObject({ code: 2 });
  rmSync(at('unfinished.jsonl'));
});

test.each([
  ['within a line', (all: string) => all.slice(0, Math.floor(all.length / 2))],
  ['after all results of a run', (all: string) => all.split('\n').slice(0, 6).join('\n').concat('\n')],
  ['before the first line', () => ''],
])('an export that died %s of the results goes on, and writes each result once', async (_, cut) => {
  const out = `resumed-${_.length}`;
  expect(await exported(out)).toMatchObject({ code: 0 });
  const whole = text(`${RETURNS}/results.jsonl`, out);
  const { items } = JSON.parse(text('manifest.json', out));
  rmSync(at('manifest.json', out));
  rmSync(at(`${RETURNS}/results.jsonl`, out));
  writeFileSync(at(`${RETURNS}/results.jsonl.part`, out), cut(whole));
  const done = Object.entries(items).filter(([what]) => !what.endsWith('results.jsonl'));
  const head = JSON.stringify({ url, organisation: gated.orgId });
  const records = done.map(([what, count]) => JSON.stringify({ what, items: count }));
  writeFileSync(at('unfinished.jsonl', out), `${[head, ...records].join('\n')}\n`);
  appendFileSync(at('unfinished.jsonl', out), '{"what":"half');
  const { code, stderr } = await exported(out);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('goes on with') });
  expect(text(`${RETURNS}/results.jsonl`, out)).toBe(whole);
  expect(JSON.parse(text('manifest.json', out)).items).toEqual(items);
});
