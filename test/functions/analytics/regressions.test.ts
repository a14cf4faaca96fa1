import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endDeadLetter } from '../../../shared/domain/evaluation/deadLetter.ts';
import { evaluationStore } from '../../../shared/storage/evaluation/evaluations.ts';
import { chainStore } from '../../../shared/storage/revisions/chains.ts';
import { expectData } from '../../support/expectations.ts';
import { addWordCases, type Gate, resultsOf } from '../runs/gate.ts';
import { type Days, passing, startDays } from './days.ts';

let days: Days;
beforeAll(async () => {
  days = await startDays();
});
afterAll(() => days.stop());

const get = ({ client, suite }: Gate) => client('GET', `/v1/suites/${suite.id}/regressions`);

async function flagged(gate: Gate): Promise<string[]> {
  const { status, body } = await get(gate);
  expect(status).toBe(200);
  return body.data.map(({ case_name }: { case_name: string }) => case_name);
}

test('a case that passed in the run before and fails in the latest is flagged, with both scores and why', async () => {
  days.day(0);
  const gate = await days.gate();
  await gate.run(passing(4));
  const { id } = await gate.run(passing(3));
  const [failed] = (await resultsOf(gate.client, id)).filter(({ passed }) => !passed);
  expectData(await get(gate), 200, [
    {
      case_name: 'Says four',
      case_id: failed.case_id,
      current_score: 0,
      previous_score: 1,
      threshold: 0.5,
      regression: true,
      reason: failed.reason,
    },
  ]);
});

test('there are no regressions with fewer than two runs', async () => {
  const gate = await days.gate();
  expectData(await get(gate), 200, []);
  await gate.run(passing(0));
  expectData(await get(gate), 200, []);
});

test('only the two latest runs are compared', async () => {
  const gate = await days.gate();
  await gate.run(passing(4));
  await gate.run(passing(2));
  expect(await flagged(gate)).toEqual(['Says three', 'Says four']);
  await gate.run(passing(2));
  expect(await flagged(gate)).toEqual([]);
  await gate.run(passing(4));
  expect(await flagged(gate)).toEqual([]);
});

test('a score must drop by 0.1: just below its threshold a case is no regression', async () => {
  const gate = await days.gate();
  const values = Array.from({ length: 20 }, (_, index) => `w${index}w`);
  const { body } = await gate.client('POST', `/v1/projects/${gate.project.slug}/scorers`, {
    name: 'Names all',
    type: 'contains',
    config: { values, mode: 'all' },
    dual_sided: true,
  });
  await gate.client('POST', `/v1/suites/${gate.suite.id}/cases`, {
    name: 'All',
    input: {},
    scorer_id: body.data.id,
    threshold: 0.9,
  });
  const scoreOf = async (output: string) => (await gate.run(output)).scores.at(-1)?.score ?? 0;
  const said = (count: number) => values.slice(0, count).join(' ');
  const [good, close] = [await scoreOf(said(17)), await scoreOf(said(16))];
  expect([good >= 0.9, close < 0.9, good - close < 0.1]).toEqual([true, true, true]);
  expect(await flagged(gate)).toEqual([]);
  const [full, less] = [await scoreOf(said(20)), await scoreOf(said(16))];
  expect(full - less).toBeGreaterThanOrEqual(0.1);
  expect(await flagged(gate)).toEqual(['All']);
});

test('a case is known by its id: renamed it is the same, a new one has no score before', async () => {
  const gate = await days.gate();
  await gate.run(passing(4));
  const { body } = await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`);
  await gate.client('PATCH', `/v1/cases/${body.data[0].id}`, { name: 'Renamed' });
  await gate.client('DELETE', `/v1/cases/${body.data[1].id}`);
  await addWordCases(gate, ['five']);
  await gate.run(passing(0));
  expect(await flagged(gate)).toEqual(['Renamed', 'Says three', 'Says four']);
});

test('a case whose scorer could not judge has no verdict to compare, in either run', async () => {
  const gate = await days.gate();
  const evalCase = await gate.add({ type: 'exact_match', config: {} }, { name: 'Exact', expected: 'x' });
  const expect_ = (expected: unknown) => gate.client('PATCH', `/v1/cases/${evalCase.id}`, { expected });
  await gate.run('x');
  await expect_(null);
  const { id } = await gate.run('x');
  expect((await resultsOf(gate.client, id)).at(-1).scorer_output.error).toBe('EXPECTED_MISSING');
  expect(await flagged(gate)).toEqual([]);
  await expect_('x');
  await gate.run('y');
  expect(await flagged(gate)).toEqual([]);
});

test('runs under way, and those that could not be evaluated, are passed over', async () => {
  const gate = await days.gate();
  await gate.run(passing(4));
  const doomed = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: '-', async: true });
  const { table } = days.service;
  const evaluations = evaluationStore(table, days.now);
  const deps = {
    evaluations,
    checks: { fail: async () => {} },
    chains: chainStore(table),
    now: days.now,
    newId: randomUUID,
  };
  await endDeadLetter(deps, { kind: 'plan', org_id: gate.project.org_id, run_id: doomed.body.id });
  expect(await flagged(gate)).toEqual([]);
  await gate.run(passing(3));
  for (let pending = 0; pending < 12; pending++) await days.submit(gate, passing(0));
  expect(await flagged(gate)).toEqual(['Says four']);
  await days.evaluator.work();
  expect(await flagged(gate)).toEqual([]);
  await days.submit(gate, passing(1));
  await days.evaluator.work();
  await days.submit(gate, passing(0));
  await days.evaluator.work();
  expect(await flagged(gate)).toEqual(['Says one']);
});

test('runs of many cases, scored at once or evaluated in chunks, are compared alike', async () => {
  const gate = await days.gate();
  const words = Array.from({ length: 60 }, (_, index) => `word${index}!`);
  await addWordCases(gate, words);
  await gate.run(words.join(' '));
  await days.submit(gate, words.filter((_, index) => index % 7 !== 0).join(' '));
  await days.evaluator.work();
  expect(await flagged(gate)).toEqual(
    words.filter((_, index) => index % 7 === 0).map((word) => `Says ${word}`),
  );
});

test('a run past retention is compared with nothing', async () => {
  days.day(0);
  const gate = await days.gate();
  await days.changePlan(gate, 'free');
  await gate.run(passing(4));
  days.day(10);
  await gate.run(passing(0));
  days.day(14.1);
  await days.changePlan(gate, 'pro');
  expect(await flagged(gate)).toEqual([]);
  await gate.run(passing(0));
  expect(await flagged(gate)).toEqual([]);
});
