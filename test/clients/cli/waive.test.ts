import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { eventually } from '../../support/service.ts';
import { useGate, usePlace } from './cli.ts';
import { onTerminal, startOnTerminal } from './onTerminal.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
const runOf = async (output: string): Promise<string> =>
  (await gated.gate.runs.create({ suite: 'returns', output })).id;
const REASON = 'Requested by @octocat \u001b[31m\u202e::error::';
const SHOWN = /: Requested by @octocat .*\[31m.*::error::/;
const WAIVING = ['--reason', REASON, '--expires', '7d'];
let good: string;
let bad: string;
let ofOthers: Record<string, string>;
beforeAll(async () => {
  [good, bad] = [await runOf('30 days'), await runOf('never')];
  const { key } = await gated.gate.apiKeys.create({ name: 'CI', scope: 'suites' });
  ofOthers = { EVALGATE_API_KEY: key };
});

test('accept makes runs the baseline and prints what was accepted', async () => {
  const { code, stdout, stderr } = await place.cli(['accept', 'returns', good, '--reason', 'Released.']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const current = await gated.gate.baselines.get(gated.suiteId);
  expect(current).toMatchObject({ run_ids: [good], reason: 'Released.' });
  const [accepted1, unused] = stdout.split('\n');
  expect(accepted1).toBe(`accepted as baseline ${current.id}: 1 run, 3 cases, pass rate 100.0 %`);
  expect(unused).toMatch(/^note: No gate of the suite compares runs with the baseline/);
  const lower = await place.cli(['accept', gated.suiteId, bad, '--json']);
  const { notices, ...accepted } = JSON.parse(lower.stdout);
  expect(accepted).toMatchObject({ run_ids: [bad], reason: null });
  expect(notices).toMatchObject([{ code: 'BASELINE_LOW' }, { code: 'BASELINE_UNUSED' }]);
  const again = await place.cli(['accept', 'returns', good, await runOf('30 days')]);
  expect(again.stdout).toContain(': 2 runs, 3 cases,');
  expect((await place.cli(['accept', 'returns', bad])).stdout).toContain('\nnote: ');
});

/** A suite of one case, and a run that passes it. */
async function suiteWithRun(fields: Parameters<typeof gated.gate.suites.create>[1]) {
  const suite = await gated.gate.suites.create('bot', fields);
  const config = { values: ['30 days'] };
  const scorer = await gated.gate.scorers.create('bot', { name: fields.name, type: 'contains', config });
  await gated.gate.cases.create(suite.id, { name: 'window', input: {}, scorer_id: scorer.id });
  const { id } = await gated.gate.runs.create({ suite: suite.slug, output: '30 days' });
  return { suite, id };
}

test('accept sets the gate that is named, beside those that the suite has', async () => {
  const { gate } = gated;
  const { suite, id } = await suiteWithRun({ name: 'Gated', gates: { min_judged_cases: 1 } });
  const { stdout } = await place.cli(['accept', suite.slug, id, '--gate', 'max_newly_failing']);
  expect(stdout).toMatch(/^accepted as baseline .*\n$/);
  expect((await gate.suites.getById(suite.id)).gates).toEqual({ min_judged_cases: 1, max_newly_failing: 0 });
  await place.cli(['accept', suite.id, id, '--gate', 'regression']);
  const gates = { min_judged_cases: 1, max_newly_failing: 0, regression: { alpha: 0.05, min_drop: 0.02 } };
  expect((await gate.suites.getById(suite.id)).gates).toEqual(gates);
  await place.cli(['accept', suite.id, id, '--gate', 'none']);
  expect((await gate.suites.getById(suite.id)).gates).toEqual(gates);
  const wrong = await place.cli(['accept', suite.slug, id, '--gate', 'any']);
  expect(wrong.code).toBe(2);
});

test('of a suite from files, accept edits no gate, and prints the lines to add', async () => {
  const { gate } = gated;
  const definition = {
    version: 1 as const,
    suite: 'pushed',
    scorers: { says: { type: 'contains' as const, config: { values: ['30 days'] } } },
    cases: [{ key: 'window', scorer: 'says', input: {} }],
  };
  await gate.definitions.put('bot', 'pushed', { definition });
  const { id } = await gate.runs.create({ suite: 'pushed', output: '30 days' });
  const { code, stdout, stderr } = await place.cli(['accept', 'pushed', id, '--gate', 'regression']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Add the gate to its file, then push it:\n\ngates:\n  regression: {}\n'),
  });
  expect(stdout).toContain('\nnote: No gate of the suite compares');
  expect((await gate.suites.get('bot', 'pushed')).gates).toEqual({});
});

onTerminal('accept asks on a terminal which gate compares with the baseline, where none does', async () => {
  const { suite, id } = await suiteWithRun({ name: 'Asked' });
  const accepting = startOnTerminal(place, `accept asked ${id}`);
  await eventually(() => accepting.said().includes('Which one is to?'));
  accepting.type('\u001b[B\r');
  expect((await accepting.ended).code).toBe(0);
  expect((await gated.gate.suites.getById(suite.id)).gates).toMatchObject({ regression: { alpha: 0.05 } });
});

test.each([
  ['a run that is none', () => ['accept', 'returns', 'run_0'], {}],
  ['one run twice', () => ['accept', 'returns', good, good], {}],
  ['no id', () => ['accept', 'returns', '../x'], {}],
  ['no run', () => ['accept', 'returns'], {}],
  ['no such suite', () => ['accept', 'other', good], {}],
  ['another scope', () => ['accept', 'returns', good], 'suites'],
  ['another scope that waives', () => ['waive', bad, ...WAIVING], 'suites'],
  ['a cleared run', () => ['waive', good, ...WAIVING], {}],
  ['a run that is not there', () => ['waive', 'run_0', ...WAIVING], {}],
  ['no waiver to revoke', () => ['waive', good, '--revoke'], {}],
  ['a short reason', () => ['waive', bad, '--reason', 'no', '--expires', '7d'], {}],
  ['no reason', () => ['waive', bad, '--expires', '7d'], {}],
  ['no time', () => ['waive', bad, '--reason', REASON], {}],
  ['too long a time', () => ['waive', bad, '--reason', REASON, '--expires', '31d'], {}],
  ['no duration', () => ['waive', bad, '--reason', REASON, '--expires', 'soon'], {}],
  ['an endless time', () => ['waive', bad, '--reason', REASON, '--expires', `${'9'.repeat(300)}h`], {}],
  ['both', () => ['waive', bad, '--revoke', ...WAIVING], {}],
])('%s exits with 2, and states why', async (_what, args, who) => {
  const { code, stdout, stderr } = await place.cli(args(), who === 'suites' ? { env: ofOthers } : {});
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^evalgate: \S/);
  expect(stderr).not.toMatch(/[\u001b\u202e]|unexpected/);
});

test('waive prints who waived a run until when and why, and --revoke takes it back', async () => {
  const { code, stdout, stderr } = await place.cli(['waive', bad, ...WAIVING]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { waiver } = await gated.gate.runs.get(bad);
  expect(waiver).toMatchObject({ reason: REASON, active: true });
  expect(stdout).toMatch(/^aborted, waived by API key .+ until \S+Z: /);
  expect(stdout).toMatch(SHOWN);
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
  expect((await place.cli(['waive', bad, '--revoke'])).code).toBe(0);
  expect((await gated.gate.runs.get(bad)).waiver).toBe(null);
  const again = await place.cli(['waive', bad, '--revoke']);
  expect(again.stderr).toMatch(/^evalgate: No such waiver\.\nOne that a run carries is revoked at the run/);
  const json = JSON.parse((await place.cli(['waive', bad, ...WAIVING, '--json'])).stdout);
  expect(json).toEqual((await gated.gate.runs.get(bad)).waiver);
});

test('an active waiver makes run, wait and their reports pass an aborted run; --no-waivers and its end do not', async () => {
  const { id } = await gated.gate.waivers.create(bad, {
    reason: REASON,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const ran = await place.cli(['run', 'returns', '--output', 'bad.txt', '--report', 'junit=report.xml']);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toMatch(/^aborted by pass_rate/m);
  expect(ran.stdout).toMatch(/^ {2}aborted, waived by API key .+ until \S+Z: Requested/m);
  expect(ran.stdout).not.toMatch(/[\u001b\u202e]/);
  const waited = await place.cli(['wait', bad, '--json']);
  expect({ code: waited.code, run: JSON.parse(waited.stdout) }).toMatchObject({
    code: 0,
    run: { status: 'aborted', waiver: { id, active: true } },
  });
  for (const args of [
    ['run', 'returns', '--output', 'bad.txt', '--no-waivers'],
    ['wait', bad, '--no-waivers'],
  ]) {
    const { code, stderr } = await place.cli(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^--no-waivers: the waiver does not count\.$/m);
  }
  expect((await place.cli(['run', 'returns', '--output', 'bad.txt', '--report', 'json=.'])).code).toBe(2);
  await gated.gate.waivers.delete(bad);
  expect((await place.cli(['wait', bad])).code).toBe(1);
  expect((await place.cli(['run', 'returns', '--output', 'bad.txt'])).code).toBe(1);
});

test('history prints which baseline took the place of which, and which run was waived until when', async () => {
  const before = await gated.gate.baselines.accept(gated.suiteId, { run_ids: [good] });
  const after = await gated.gate.baselines.accept(gated.suiteId, { run_ids: [bad] });
  const { id, expires_at } = await gated.gate.waivers.create(bad, {
    reason: 'Requested by Ada.',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await gated.gate.waivers.delete(bad);
  await gated.gate.baselines.remove(gated.suiteId);
  const { stdout } = await place.cli(['history', 'returns', '--limit', '4']);
  expect(stdout.match(/^ {2}[-+~].*$/gm)).toEqual([
    `  - baseline ${after.id}`,
    `  ~ waiver ${id}  run_id ${bad} → null`,
    `  ~ waiver ${id}  run_id ${bad}, reason "Requested by Ada.", expires_at "${expires_at}"`,
    `  ~ baseline ${before.id} → ${after.id}`,
  ]);
});

test('a run with a baseline prints first what newly fails, and how sure that is', async () => {
  const outputsOf = (bad?: string) =>
    ['window', 'refund', 'letter'].map((name) => ({
      case: name,
      output: name === bad ? 'never' : '30 days',
    }));
  const before = await gated.gate.runs.create({ suite: 'returns', outputs: outputsOf() });
  await gated.gate.baselines.accept(gated.suiteId, { run_ids: [before.id] });
  place.file(
    'mixed.jsonl',
    outputsOf('letter')
      .map((item) => JSON.stringify(item))
      .join('\n'),
  );
  const { code, stdout } = await place.cli(['run', 'returns', '--outputs', 'mixed.jsonl']);
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(2, 4)).toEqual([
    '  1 of 3 compared cases is newly failing: by chance alone that happens in 25 of 100 comparisons (p = 0.25)',
    `  against the baseline accepted today (${before.id})`,
  ]);
  expect(stdout).toContain('\n  1 newly failing:\n  ✗ letter');
});
