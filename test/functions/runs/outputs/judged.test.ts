import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectInvalid } from '../../../support/expectations.ts';
import { type OwnStage, startOwnStage } from '../../../support/ownStage.ts';
import { type Answer, verdict } from '../../../support/providers.ts';
import { ended, newClient, submit, usedRuns } from '../../../support/stage.ts';
import { type JudgedGate, makeJudgedGate } from '../../judged/gate.ts';
import { resultsOf } from '../gate.ts';

const COUNT = 4;

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterEach(() => stage.providers.reset());
afterAll(() => stage.stop());

/** Passes outputs that say so. */
const byOutput: Answer = (call, response) =>
  verdict({ score: call.user.includes('good') ? 1 : 0 })(call, response);

const SECTION = (name: string) => new RegExp(`<<<BEGIN ${name} \\w+>>>\\n([^]*?)\\n<<<END ${name} `);

/** What each call showed the judge. */
const shown = ({ rawKey }: JudgedGate) =>
  stage.providers.calls
    .filter(({ apiKey }) => apiKey === rawKey)
    .map(({ user }) => {
      const of = (name: string) => SECTION(name).exec(user)?.[1] ?? '';
      return { output: of('output'), run: of('run_input'), case: of('case_input'), user };
    });

const byCase = (one: { case: string }, other: { case: string }) => (one.case < other.case ? -1 : 1);

describe.each([
  ['its client waits', false],
  ['it is queued', true],
])('each judged case sees its own output and input only, when %s:', (_, isQueued) => {
  async function send(gate: JudgedGate, outputs: readonly object[], fields: object = {}) {
    const body = { suite: gate.suite.slug, outputs, ...fields };
    if (isQueued) return ended(gate.client, await submit(gate.client, body));
    const answer = await gate.client('POST', '/v1/run', body);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  test('one output for each case', async () => {
    stage.providers.always('openai', byOutput);
    const gate = await makeJudgedGate(stage, { count: COUNT, suite: { pass_threshold: 0.5 } });
    const outputs = gate.cases.map(({ id, key }, index) => ({
      case: index % 2 === 0 ? id : key,
      output: `[output ${index}] ${index < 2 ? 'good' : 'bad'}`,
      ...(index > 0 && { input: { of: `item ${index}` } }),
    }));
    const run = await send(gate, outputs.toReversed(), { input: { of: 'run' } });
    expect(run).toMatchObject({ status: 'cleared', pass_rate: 0.5, passed_cases: 2 });
    const calls = shown(gate).sort(byCase);
    expect(calls.map(({ user: __, ...parts }) => parts)).toEqual(
      outputs.map(({ output }, index) => ({
        output,
        run: JSON.stringify({ of: index === 0 ? 'run' : `item ${index}` }),
        case: JSON.stringify({ marker: `<marker ${index}>` }),
      })),
    );
    for (const [index, { user }] of calls.entries()) {
      for (const [other, { output }] of outputs.entries())
        expect(user.includes(output)).toBe(other === index);
    }
  });

  test('each of several samples', async () => {
    stage.providers.always('openai', byOutput);
    const caseOf = () => ({ sample_count: 3, sample_pass_rate: 0.6 });
    const gate = await makeJudgedGate(stage, { count: 2, caseOf });
    const texts = ['good 0', 'bad 1', 'good 2'];
    const outputs = gate.cases.flatMap(({ key }) =>
      texts.map((text) => ({ case: key, output: `${key} ${text}` })),
    );
    const run = await send(gate, outputs);
    expect(run).toMatchObject({ status: 'cleared', passed_cases: 2 });
    expect(
      shown(gate)
        .map(({ output }) => output)
        .sort(),
    ).toEqual(outputs.map(({ output }) => output).sort());
    for (const { samples } of await resultsOf(gate.client, run.id)) {
      expect(samples.map(({ passed }: { passed: boolean }) => passed)).toEqual([true, false, true]);
    }
  });

  test('no judge is called for an error, a missing output or a surplus one', async () => {
    const gate = await makeJudgedGate(stage, { count: 3, suite: { pass_threshold: 0.3 } });
    const run = await send(gate, [
      { case: gate.cases[0]!.key, output: 'the only one' },
      { case: gate.cases[1]!.key, error: '429' },
      { case: 'zzz', output: 'surplus' },
    ]);
    expect(run).toMatchObject({
      status: 'cleared',
      passed_cases: 1,
      errored_cases: 1,
      missing_cases: 1,
      surplus: ['zzz'],
    });
    expect(shown(gate).map(({ output }) => output)).toEqual(['the only one']);
  });
});

describe('a judged suite with a case of several samples', () => {
  test('refuses a single output at once, whether its client waits or not: nothing is stored or counted, and no judge called', async () => {
    const as = await newClient(stage);
    const caseOf = (index: number) => ({ sample_count: index === 1 ? 2 : 1 });
    const gate = await makeJudgedGate(stage, { count: 2, caseOf, as });
    const post = (fields: object) => gate.client('POST', '/v1/run', { suite: gate.suite.slug, ...fields });
    // Known by its counts only, then with its cases.
    for (const [index, async] of [false, true, false, true].entries()) {
      expectInvalid(await post({ output: 'one', async }), 'output');
      if (index === 1) expectInvalid(await post({ outputs: [{ case: 'zzz', output: '' }] }), 'outputs');
    }
    expect((await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data).toEqual([]);
    expect([await usedRuns(stage, as.orgId), shown(gate)]).toEqual([0, []]);
    await gate.client('PATCH', `/v1/cases/${gate.cases[1]!.id}`, { sample_count: 1 });
    expect(await post({ output: 'one' })).toMatchObject({ status: 200, body: { status: 'cleared' } });
  });
});

test('a judged suite of advisory cases only is refused at once: no judge is called, nothing stored or counted', async () => {
  const as = await newClient(stage);
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'Ann', reason: 'Being rewritten', expires_at };
  const gate = await makeJudgedGate(stage, { count: 2, caseOf: () => ({ advisory }), as });
  const outputs = gate.cases.map(({ id }) => ({ case: id, output: 'one' }));
  for (const async of [false, true]) {
    for (const sent of [{ output: 'one' }, { outputs }]) {
      const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, ...sent, async });
      expectInvalid(answer, 'suite');
      expect(answer.body.error.details.issues[0].message).toContain('advisory');
    }
  }
  expect((await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data).toEqual([]);
  expect([await usedRuns(stage, as.orgId), shown(gate)]).toEqual([0, []]);
  await gate.client('PATCH', `/v1/cases/${gate.cases[1]!.id}`, { advisory: null });
  const body = { suite: gate.suite.slug, output: 'one' };
  expect(await ended(gate.client, await submit(gate.client, body))).toMatchObject({ status: 'cleared' });
});
