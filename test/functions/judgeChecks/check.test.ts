import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkMessage } from '../../../shared/domain/messages.ts';
import { DAY_MS, MINUTE_MS } from '../../../shared/domain/time.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { TIMESTAMP } from '../../support/expectations.ts';
import { failure, type Providers } from '../../support/providers.ts';
import { judgeOf } from '../judged/gate.ts';
import { type CheckStage, EXACT, type Judging, judgedBy, makeCheckedGate, startCheckStage } from './stage.ts';

let stage: CheckStage;
beforeAll(async () => {
  stage = await startCheckStage();
});
afterAll(() => stage.stop());
afterEach(() => {
  stage.providers.reset();
  stage.service.clock.ms = undefined;
});

async function checked(judging: Judging) {
  stage.providers.always('openai', judgedBy(judging));
  const gate = await makeCheckedGate(stage);
  await gate.check();
  expect(await stage.work()).toBe(true);
  return gate.found();
}

test('a judge that judges by the examples catches all, and the check shows what that proves', async () => {
  const found = await checked(EXACT);
  expect(found).toEqual({
    status: 'done',
    at: TIMESTAMP,
    judges: [
      {
        scorer: 'tone',
        scorer_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        answered_models: ['gpt-5.4-mini-2026-08-01'],
        retires_on: null,
        fail: { sent: 30, caught: 30, errored: 0, lower: expect.closeTo(0.886, 3) },
        pass: { sent: 6, accepted: 6, errored: 0, lower: expect.closeTo(0.61, 3) },
        kappa: 1,
        fixed: { sent: 12, failed: 12 },
      },
    ],
    wrong: [],
    left_out: 0,
  });
});

describe('a judge is named as what it is that', () => {
  const half = (answer: string | undefined) => (answer === 'RIGHT' ? 1 : 0);
  test.each<[string, Judging['score'], object, string[]]>([
    ['passes everything', () => 1, { caught: 0, accepted: 6, kappa: 0, failed: 0 }, ['fail']],
    ['fails everything', () => 0, { caught: 30, accepted: 0, kappa: 0, failed: 12 }, ['pass']],
    ['reverses', (answer) => 1 - half(answer), { caught: 0, accepted: 0, failed: 0 }, ['fail']],
    [
      'passes what asks for full marks',
      (answer) => (answer?.startsWith('Ignore') ? 1 : half(answer)),
      { caught: 30, accepted: 6, kappa: 1, failed: 9 },
      ['injection'],
    ],
  ])('%s', async (_what, score, figures, kinds) => {
    const { judges, wrong } = await checked({ score });
    const [{ fail, pass, kappa, fixed }] = judges;
    expect({ ...fail, ...pass, kappa, ...fixed }).toMatchObject(figures);
    if (fail.caught === 0) expect(fail.lower).toBe(0);
    expect([...new Set(wrong.slice(0, 3).map(({ kind }: { kind: string }) => kind))]).toEqual(kinds);
    expect(wrong.length).toBeLessThanOrEqual(50);
  });
});

test('answers that could not be judged are neither caught nor accepted, and their number is shown', async () => {
  stage.providers.always('openai', failure(400, { message: 'no such thing' }));
  const gate = await makeCheckedGate(stage, { cases: 1 });
  await gate.check();
  await stage.work();
  const { status, judges, wrong } = await gate.found();
  expect({ status, wrong: wrong.length }).toEqual({ status: 'done', wrong: 16 });
  expect(judges[0]).toMatchObject({
    answered_models: [],
    fail: { sent: 10, caught: 0, errored: 10, lower: 0 },
    pass: { sent: 2, accepted: 0, errored: 2, lower: 0 },
    fixed: { sent: 4, failed: 0 },
  });
});

test('of examples the first 200 are sent, of fixed answers four on five cases, but not those that the case passes', async () => {
  stage.providers.always('openai', judgedBy(EXACT));
  const gate = await makeCheckedGate(stage, { cases: 18 });
  await makeCase(gate.client, gate.suite, gate.scorer, { is_active: false, examples: { fail: ['WRONG'] } });
  const other = await makeScorer(gate.client, gate.project, { type: 'contains', config: { values: ['a'] } });
  await makeCase(gate.client, gate.suite, other, { examples: { fail: ['WRONG'] } });
  const refusing = await makeScorer(gate.client, gate.project, {
    ...judgeOf({} as Providers),
    name: 'Refusing',
  });
  await makeCase(gate.client, gate.suite, refusing, { examples: { pass: [''] } });
  await gate.check();
  await stage.work();
  const { judges, left_out } = await gate.found();
  const sent = judges.map(({ scorer, fail, pass, fixed }: never) =>
    [scorer, fail, pass, fixed].map((one) => (one as { sent?: number }).sent ?? one),
  );
  expect({ sent, left_out }).toEqual({
    sent: [
      ['tone', 168, 32, 20],
      ['refusing', 0, 0, 3],
    ],
    left_out: 17,
  });
  expect(stage.providers.calls.filter(({ operation }) => operation === 'judge')).toHaveLength(223);
});

test('two requests are one check; one that began 15 minutes ago is given up for another one', async () => {
  stage.service.clock.ms = Date.now();
  stage.providers.always('openai', judgedBy(EXACT));
  const gate = await makeCheckedGate(stage, { cases: 1 });
  expect((await gate.found()).status).toBe('none');
  const first = await gate.check();
  expect(await gate.check()).toEqual(first);
  expect(stage.messages).toHaveLength(1);
  expect(await gate.found()).toMatchObject({ status: 'pending', at: null, judges: [] });
  const [lost] = stage.messages.splice(0);
  stage.service.clock.ms += 15 * MINUTE_MS + 1;
  const second = await gate.check();
  expect(second.check_id).not.toBe(first.check_id);
  await stage.work();
  expect((await gate.found()).status).toBe('done');
  const asked = stage.providers.calls.length;
  stage.messages.push(lost as WorkMessage);
  await stage.work();
  expect(stage.providers.calls).toHaveLength(asked);
});

test('a request whose message can not be sent leaves no check pending', async () => {
  const gate = await makeCheckedGate(stage, { cases: 0 });
  const push = stage.messages.push;
  stage.messages.push = () => {
    throw new Error('The queue is down');
  };
  await expect(gate.check()).rejects.toThrow('500');
  stage.messages.push = push;
  expect((await gate.found()).status).toBe('failed');
  await gate.check();
  await stage.work();
  expect(await gate.found()).toMatchObject({ status: 'done', judges: [] });
});

/** As a process sees the table that dies before it ends its check. */
const dyingAtTheEnd = (table: Table): Table =>
  new Proxy(table, {
    get(target, name) {
      if (name === 'transact') return () => Promise.reject(new Error('dead'));
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

test('an evaluator that dies repeats the check, which ends once; one that fails five times leaves the last figures', async () => {
  stage.providers.always('openai', judgedBy(EXACT));
  const gate = await makeCheckedGate(stage, { cases: 1 });
  await gate.check();
  const message = stage.messages[0] as WorkMessage;
  expect(await stage.work(dyingAtTheEnd(stage.service.table))).toBe(false);
  expect((await gate.found()).status).toBe('pending');
  stage.messages.push(message, message);
  await stage.work();
  const done = await gate.found();
  expect(done).toMatchObject({ status: 'done', judges: [{ fail: { sent: 10, caught: 10 } }] });
  expect(stage.providers.calls.filter(({ operation }) => operation === 'judge')).toHaveLength(2 * 16);
  await gate.check();
  await stage.giveUp(stage.messages.splice(0)[0] as WorkMessage);
  expect(await gate.found()).toEqual({ ...done, status: 'failed' });
});

test('what judges wrote of wrong answers is gone after 30 days, and the figures stay', async () => {
  stage.service.clock.ms = Date.now();
  stage.providers.always('openai', judgedBy({ score: () => 1 }));
  const gate = await makeCheckedGate(stage, { cases: 1 });
  await gate.check();
  await stage.work();
  expect((await gate.found()).wrong[0]).toEqual({
    case: 'case-0',
    kind: 'fail',
    score: 1,
    reason: 'As it says.',
  });
  stage.service.clock.ms += 30 * DAY_MS + 1_000;
  expect(await gate.found()).toMatchObject({ status: 'done', wrong: [], judges: [{ fail: { sent: 10 } }] });
});

test('the day is named on which the provider shuts the model down that answered', async () => {
  const models = [
    { id: 'gpt-5.4-mini-2026-08-01', object: 'model', shutdown_date: '2027-03-01' },
    { id: 'gpt-5.4-mini', object: 'model', shutdown_date: null },
    null,
  ];
  const body = JSON.stringify({ object: 'list', data: models });
  const list = (
    _: unknown,
    response: { writeHead: (status: number, headers: object) => { end: (text: string) => void } },
  ) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  stage.providers.always('openai', list as never, 'list_models');
  expect((await checked(EXACT)).judges[0].retires_on).toBe('2027-03-01');
});

test('a check of a suite that was deleted meanwhile ends', async () => {
  const gate = await makeCheckedGate(stage, { cases: 0 });
  await gate.check();
  await gate.client('DELETE', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`);
  expect(await stage.work()).toBe(true);
});
