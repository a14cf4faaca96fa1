import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

let service: OwnService;
beforeAll(async () => {
  service = await startOwnService({ RATE_LIMITS: 'off' });
});
afterAll(() => service.stop());

/** A suite of large cases, and their ids the other way round. */
async function largeCases(count: number, fields: Readonly<Record<string, unknown>>) {
  const gate = await makeGate(service.baseUrl);
  const scorer = await makeScorer(gate.client, gate.project);
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth++)
    ids.push((await makeCase(gate.client, gate.suite, scorer, fields)).id);
  return { gate, wanted: ids.toReversed() };
}

const reorder = ({ client, suite }: Gate, case_ids: string[], encoding = 'identity') =>
  client('POST', `/v1/suites/${suite.id}/cases/reorder`, { case_ids }, { 'accept-encoding': encoding });

const order = (cases: readonly { id: string }[]) => cases.map(({ id }) => id);

test('cases whose documents fit into 5 MB come whole, also where `expected` lies in an item of its own', async () => {
  const documents = { input: { text: 'x'.repeat(180_000) }, expected: 'y'.repeat(180_000) };
  const { gate, wanted } = await largeCases(12, documents);
  const answer = await reorder(gate, wanted);
  expect(answer.status).toBe(200);
  expect(order(answer.body.data)).toEqual(wanted);
  for (const evalCase of answer.body.data) expect(evalCase).toMatchObject(documents);
});

test('cases with more than 5 MB of documents are put in order, and come without them', async () => {
  const { gate, wanted } = await largeCases(28, { input: { text: 'x'.repeat(200_000) } });
  const answer = await reorder(gate, wanted);
  expect(answer.status).toBe(200);
  expect(order(answer.body.data)).toEqual(wanted);
  for (const [index, evalCase] of answer.body.data.entries()) {
    expect(evalCase).toMatchObject({ suite_id: gate.suite.id, name: expect.any(String), sort_order: index });
    expect(evalCase).not.toHaveProperty('input');
    expect(evalCase).not.toHaveProperty('expected');
  }
  const list = await gate.client('GET', `/v1/suites/${gate.suite.id}/cases?pageSize=1`);
  expect(list.body.data[0].input.text).toHaveLength(200_000);
});

/** Their rules alone are more than an answer holds. */
const MANY = 7_000;

test('thousands of cases with long names are answered in any case: with as little as shows their order', async () => {
  const texts = { name: '例'.repeat(200), description: '例'.repeat(20) };
  const gate = await makeGate(service.baseUrl);
  const { id: scorer_id } = await makeScorer(gate.client, gate.project);
  const ids = await fillSuite(service.table, gate, MANY, () => ({ ...texts, scorer_id, expected: null }));
  const wanted = ids.toReversed();
  const [first = '', ...others] = wanted;
  const plain = await reorder(gate, wanted);
  expect(plain.status).toBe(200);
  expect(order(plain.body.data)).toEqual(wanted);
  expect(plain.body.data[0]).toEqual({ id: first, suite_id: gate.suite.id, is_active: true, sort_order: 0 });
  const again = await reorder(gate, [...others, first], 'gzip');
  expect(again.body.data.at(-1)).toMatchObject({ id: first, name: texts.name, sort_order: MANY - 1 });
});
