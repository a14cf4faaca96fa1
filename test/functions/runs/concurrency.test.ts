import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { suiteHeadKey } from '../../../shared/storage/table/keys.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { usedRuns } from '../../support/usage.ts';
import { addWordCases, type Gate, makeGate, resultsOf } from './gate.ts';

const AT_ONCE = 60;

let service: OwnService;
let gate: Gate;
beforeAll(async () => {
  service = await startOwnService();
  gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
  await addWordCases(gate, ['even', 'odd', 'run']);
});
afterAll(() => service.stop());

const word = (number: number) => (number % 2 === 0 ? 'even' : 'odd');

test('60 runs at once on one suite: all answered, each listed once, counters exact, results its own', async () => {
  const numbers = Array.from({ length: AT_ONCE }, (_, number) => number);
  const verdicts = await Promise.all(numbers.map((number) => gate.run(`${word(number)} ${number}`)));
  expect(new Set(verdicts.map(({ id }) => id)).size).toBe(AT_ONCE);
  expect(verdicts.every(({ passed_cases, total_cases }) => passed_cases === 1 && total_cases === 3)).toBe(
    true,
  );

  const answer = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs?pageSize=100`);
  expect(answer.body.pagination).toMatchObject({ total: AT_ONCE, hasMore: false });
  const listed = answer.body.data.map(({ id }: { id: string }) => id);
  expect(listed.toSorted()).toEqual(verdicts.map(({ id }) => id).toSorted());
  const times = answer.body.data.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual(times.toSorted().reverse());

  const head = suiteHeadKey(gate.project.org_id, gate.suite.slug, gate.project.id);
  expect((await service.table.get(head))?.run_count).toBe(AT_ONCE);
  expect(await usedRuns(service.table, gate.project.org_id)).toBe(AT_ONCE);

  for (const [number, { id }] of verdicts.entries()) {
    const passed = (await resultsOf(gate.client, id)).filter((result) => result.passed);
    expect(passed.map(({ case_name, run_id }) => [case_name, run_id])).toEqual([
      [`Says ${word(number)}`, id],
    ]);
  }
});

test('runs while the suite is changed see one state of it, never a mixture', async () => {
  const changing = await makeGate(service.baseUrl, { pass_threshold: 0 });
  const { id, scorer_id } = await changing.add({ config: { values: ['v0'] } }, { name: 'v0' });
  const change = async () => {
    for (let version = 1; version <= 10; version++) {
      await changing.client('PATCH', `/v1/scorers/${scorer_id}`, { config: { values: [`v${version}`] } });
      await changing.client('PATCH', `/v1/cases/${id}`, { name: `v${version}` });
    }
  };
  const seen: [name: string, value: string][] = [];
  const judge = async () => {
    for (let count = 0; count < 15; count++) {
      const verdict = await changing.run('-');
      const [result] = await resultsOf(changing.client, verdict.id);
      expect(result.case_name).toBe(verdict.scores[0]?.case);
      seen.push([result.case_name, result.scorer_output.matches[0].value]);
    }
  };
  await Promise.all([change(), judge(), judge()]);
  const version = (text: string) => Number(text.slice(1));
  // The scorer is changed first: it is as new as its case, or one ahead.
  for (const [name, value] of seen) expect([0, 1]).toContain(version(value) - version(name));
  expect((await changing.run('-')).scores[0]?.case).toBe('v10');
});

test('a suite deleted while it runs: every answer is a verdict or 404, and every verdict is readable', async () => {
  const doomed = await makeGate(service.baseUrl);
  await doomed.add({});
  await doomed.run('ok');
  const running = Array.from({ length: 20 }, () =>
    doomed.client('POST', '/v1/run', { suite: doomed.suite.slug, output: 'ok' }),
  );
  const path = `/v1/projects/${doomed.project.slug}/suites/${doomed.suite.slug}`;
  const deleted = await doomed.client('DELETE', path);
  expect(deleted.status).toBe(204);
  for (const { status, body } of await Promise.all(running)) {
    expect([200, 404]).toContain(status);
    if (status === 200) expect((await doomed.client('GET', `/v1/runs/${body.id}`)).status).toBe(200);
  }
});
