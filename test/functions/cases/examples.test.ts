import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { api } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type EvaluatorByHand, evaluatorByHand } from '../../support/evaluatorByHand.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

let service: OwnService;
let evaluator: EvaluatorByHand;
let gate: Gate;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let scorer: any;
beforeAll(async () => {
  service = await startOwnService();
  evaluator = evaluatorByHand(service);
  gate = await makeGate(service.baseUrl);
  scorer = await makeScorer(gate.client, gate.project);
});
afterAll(() => service.stop());

const SECRET = 'Forty-one dollars, said the parrot.';
const definitionPath = () => `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}/definition`;
const definition = async () => (await gate.client('GET', definitionPath())).body.data;

test.each<[string, object, string]>([
  [
    'eleven answers that must fail',
    { fail: Array.from({ length: 11 }, (_, at) => `${at}`) },
    'examples.fail',
  ],
  ['an answer of 8,001 characters', { pass: ['x'.repeat(8_001)] }, 'examples.pass.0'],
  ['more than 32 kB', { fail: ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(7_000)) }, 'examples'],
  ['an answer in both lists', { pass: ['Yes.'], fail: ['Yes.'] }, 'examples'],
  ['an answer twice', { fail: ['No.', 'No.'] }, 'examples'],
  ['another list', { maybe: [] }, 'examples.maybe'],
])('examples with %s are refused', async (_what, examples, path) => {
  const body = { name: 'A case', input: {}, scorer_id: scorer.id, examples };
  expectInvalid(await gate.client('POST', `/v1/suites/${gate.suite.id}/cases`, body), path);
});

test('examples belong to the case and its definition, and change neither the bar nor what a plan calls it', async () => {
  const plain = await makeCase(gate.client, gate.suite, scorer, { key: 'parrot' });
  expect(plain.examples).toEqual({ pass: [], fail: [] });
  const before = await definition();
  expect(before.definition.cases[0]).not.toHaveProperty('examples');
  const examples = { pass: [], fail: ['', SECRET] };
  const changed = await gate.client('PATCH', `/v1/cases/${plain.id}`, { examples });
  expect(changed.body.data.examples).toEqual(examples);
  const after = await definition();
  expect(after.definition.cases[0].examples).toEqual(examples);
  expect(after.definition_digest).not.toBe(before.definition_digest);
  expect(after.suite_digest).toBe(before.suite_digest);
  // Others of its block keep theirs, and have none.
  const other = await makeCase(gate.client, gate.suite, scorer, { key: 'other' });
  expect((await gate.client('GET', `/v1/cases/${plain.id}`)).body.data.examples).toEqual(examples);
  expect((await gate.client('GET', `/v1/cases/${other.id}`)).body.data.examples).toEqual({
    pass: [],
    fail: [],
  });
  const sent = { ...before.definition, cases: [before.definition.cases[0]] };
  const push = { definition: sent, dry_run: true };
  const { changes } = (await gate.client('PUT', definitionPath(), push)).body.data;
  const fields = { examples: { from: examples, to: { pass: [], fail: [] } } };
  expect(changes[0]).toMatchObject({ kind: 'case', key: 'parrot', effect: 'same', fields });
});

test('scope run never sees an example', async () => {
  const found = await makeCase(gate.client, gate.suite, scorer, {
    key: 'hidden',
    examples: { fail: [SECRET] },
  });
  const { body } = await gate.client('POST', '/v1/api-keys', { name: 'Runs', scope: 'run' });
  const run = api(service.baseUrl, body.data.key);
  await gate.client('PATCH', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, {
    show_inputs: true,
    show_expected: true,
    keep_outputs: 'all',
  });
  const { id } = (await run('POST', '/v1/run', { suite: gate.suite.slug, output: 'x' })).body;
  const { digest } = (await run('GET', `/v1/suites/${gate.suite.id}/revision`)).body.data;
  const plan = { definition: (await definition()).definition, dry_run: true };
  plan.definition.cases.at(-1).examples = { pass: [`Not so: ${SECRET}`] };
  const answers = [
    await run('GET', `/v1/cases/${found.id}`),
    await run('GET', `/v1/suites/${gate.suite.id}/cases`),
    await run('GET', `/v1/suites/${gate.suite.id}/inputs`),
    await run('GET', `/v1/suites/${gate.suite.id}/check`),
    await run('GET', `/v1/runs/${id}/results`),
    await run('GET', `/v1/suites/${gate.suite.id}/revisions/${digest}`),
    await run('GET', definitionPath()),
    await run('PUT', definitionPath(), plan),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 403, 200, 200, 403, 200]);
  expect(JSON.stringify(answers)).not.toContain('parrot.');
  expect(JSON.stringify(service.log)).not.toContain('parrot');
});

test('examples of a deleted case are gone after 30 days', async () => {
  const lost = 'Eleven, answered the lighthouse.';
  const found = await makeCase(gate.client, gate.suite, scorer, { key: 'lost', examples: { pass: [lost] } });
  await gate.client('DELETE', `/v1/cases/${found.id}`);
  expect(textsOfItems(await service.items()).join()).toContain(lost);
  service.clock.ms = Date.now() + 32 * DAY_MS;
  for (let day = 0; day < 3; day++) {
    service.clock.ms += DAY_MS;
    await evaluator.purge();
  }
  expect(textsOfItems(await service.items()).join()).not.toContain(lost);
});
