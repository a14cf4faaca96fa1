import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { handler as deadLetters } from '../../../../../functions/evaluator/deadLetters.ts';
import { handler as evaluate } from '../../../../../functions/evaluator/evaluate.ts';
import { createSlots } from '../../../../../shared/domain/evaluation/slots/slots.ts';
import type { WorkMessage } from '../../../../../shared/domain/messages.ts';
import { slotStore } from '../../../../../shared/storage/evaluation/slots.ts';
import type { Table } from '../../../../../shared/storage/table/table.ts';
import { makeKey } from '../../../../functions/byokKeys/keys.ts';
import { fillSuite } from '../../../../functions/runs/filled.ts';
import { type Gate, makeGate, resultsOf } from '../../../../functions/runs/gate.ts';
import { type EvaluatorByHand, evaluatorByHand, invokeByHand } from '../../../../support/evaluatorByHand.ts';
import { type OwnService, startOwnService } from '../../../../support/ownService.ts';
import { submit } from '../../../../support/stage.ts';
import { withOwn } from '../../../storage/contended.ts';

/** How often a message is received before it goes to the dead letters, and a chunk tried before it is given up. */
const TRIES_MAX = 5;

let service: OwnService;
let evaluator: EvaluatorByHand;
let gate: Gate;
beforeAll(async () => {
  service = await startOwnService();
  evaluator = evaluatorByHand(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  evaluator.messages.splice(0);
  gate = await makeGate(service.baseUrl);
});

const send = () => submit(gate.client, { suite: gate.suite.slug, output: 'Paris' });
const planOf = (id: string): WorkMessage => ({
  kind: 'plan',
  org_id: gate.project.org_id,
  run_id: id,
});
const chunkOf = (id: string): WorkMessage => ({
  kind: 'chunk',
  org_id: gate.project.org_id,
  run_id: id,
  chunk: 0,
  waits: 0,
  held: 0,
});
const runOf = async (id: string) => (await gate.client('GET', `/v1/runs/${id}`)).body.data;

const fill = async (count: number) => {
  const { scorer_id } = await gate.add({ type: 'exact_match', config: {} }, { is_active: false });
  const caseOf = (index: number) => ({ name: `Case ${index}`, scorer_id, expected: 'Paris' });
  return fillSuite(service.table, gate, count, caseOf);
};

const NO_ANSWER = 'The table does not answer';

/** The table, but for updates that it does not answer. */
const failing = (updates: RegExp): Table =>
  withOwn(service.table, {
    async update(request) {
      if (updates.test(request.UpdateExpression ?? '')) throw new Error(NO_ANSWER);
      return service.table.update(request);
    },
  });

/** What was sent is not found once a chunk is claimed. */
function withoutOutputs(): Table {
  let isClaimed = false;
  return withOwn(service.table, {
    async query(range, options) {
      if (isClaimed && range.prefix?.startsWith('PAYLOAD#')) throw new Error(NO_ANSWER);
      return service.table.query(range, options);
    },
    async update(request) {
      isClaimed ||= /claimed_until = /.test(request.UpdateExpression ?? '');
      return service.table.update(request);
    },
  });
}

test('a run of one chunk is evaluated by the message that plans it: no other is sent', async () => {
  await fill(500);
  const id = await send();
  evaluator.send(planOf(id));
  expect(await evaluator.work()).toBe(1);
  expect(await runOf(id)).toMatchObject({ status: 'cleared', total_cases: 500 });
});

test('each chunk of a larger run has a message of its own, but for the last one open when the run gets a reminder', async () => {
  const caseIds = await fill(1_001);
  const id = await send();
  evaluator.send(planOf(id));
  await evaluator.step();
  expect(evaluator.messages.map(({ message }) => message)).toEqual(
    [0, 1, 2].map((chunk) => ({ ...chunkOf(id), chunk })),
  );
  // The second is lost.
  evaluator.messages.splice(1, 1);
  await evaluator.work();
  expect(await runOf(id)).toMatchObject({ status: 'pending' });
  evaluator.send(planOf(id));
  expect(await evaluator.work()).toBe(1);
  expect(await runOf(id)).toMatchObject({ status: 'cleared', total_cases: 1_001 });
  expect((await resultsOf(gate.client, id)).map(({ case_id }) => case_id)).toEqual(caseIds);
});

test.each([
  ['one other chunk', 501, 1],
  ['several others', 1_001, 3],
])(
  'a chunk whose evaluator died before its end was known is no reason to wait, with %s left',
  async (_what, cases, steps) => {
    await fill(cases);
    const id = await send();
    evaluator.send(planOf(id));
    await evaluator.step();
    expect(await evaluator.step(failing(/ended_chunks/))).toBe(false);
    evaluator.messages.splice(0);
    evaluator.send(planOf(id));
    expect(await evaluator.work()).toBe(steps);
    expect(await runOf(id)).toMatchObject({ status: 'cleared', total_cases: cases });
  },
);

test('a plan whose evaluation failed is taken up again as it was made', async () => {
  const { scorer_id } = await gate.add({ config: { values: ['Paris'] } });
  const id = await send();
  evaluator.send(planOf(id));
  expect(await evaluator.step(withoutOutputs())).toBe(false);
  await gate.client('PATCH', `/v1/scorers/${scorer_id}`, { config: { values: ['Rome'] } });
  evaluator.send(planOf(id));
  expect(await evaluator.work()).toBe(1);
  expect(await runOf(id)).toMatchObject({ status: 'cleared', total_cases: 1 });
  // Delivered once more it changes nothing.
  const before = await runOf(id);
  evaluator.send(planOf(id));
  expect(await evaluator.work()).toBe(1);
  expect(await runOf(id)).toEqual(before);
});

test.each([
  ['its plan', planOf],
  ['itself', chunkOf],
] as const)(
  'a lone chunk that fails five times under messages for %s ends through the dead letters, and not before',
  async (_what, messageOf) => {
    await gate.add({});
    const id = await send();
    const end = () => invokeByHand(deadLetters.withRuntime(service.runtime), messageOf(id));
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      evaluator.send(tries === 1 ? planOf(id) : messageOf(id));
      expect(await evaluator.step(withoutOutputs())).toBe(false);
      expect(await runOf(id)).toMatchObject({ status: 'pending' });
      expect(await end()).toBe(true);
    }
    expect(await runOf(id)).toMatchObject({ status: 'aborted', inconclusive: true, errored_cases: 1 });
    expect((await gate.client('GET', '/v1/billing/usage')).body.current_usage).toBe(0);
  },
);

test('a lone chunk that finds no judge slot is put back under a message of its own', async () => {
  await makeKey(gate.client);
  await gate.add({ type: 'llm_judge', config: { rubric: 'Is it right?', _provider: 'openai' } });
  const { now, newId } = service.runtime;
  const slots = slotStore(service.table, now);
  await slots.take(gate.project.org_id, 'openai', Array.from({ length: 20 }, newId));
  const id = await send();
  const sent: WorkMessage[] = [];
  const handler = evaluate.withRuntime(service.runtime, {
    withSlot: createSlots({ slots, now, newId, sleep: async () => {}, random: () => 0.5 }),
    queue: { send: async (messages) => void sent.push(...messages) },
  });
  expect(await invokeByHand(handler, planOf(id))).toBe(true);
  expect(sent).toEqual([{ ...chunkOf(id), waits: 1 }]);
  // Delivered again, the plan takes the place of the message that waits.
  expect(await invokeByHand(handler, planOf(id))).toBe(true);
  expect(sent).toEqual([1, 2].map((waits) => ({ ...chunkOf(id), waits })));
  expect(await invokeByHand(handler, sent[0] ?? planOf(id))).toBe(true);
  expect(sent).toHaveLength(2);
  expect(await runOf(id)).toMatchObject({ status: 'pending' });
});
