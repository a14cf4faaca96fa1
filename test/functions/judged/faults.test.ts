import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, cut, failure, hang, raw, verdict } from '../../support/providers.ts';
import { ended } from '../../support/stage.ts';
import { makeKey } from '../byokKeys/keys.ts';
import { resultsOf } from '../runs/gate.ts';
import { judgeOf, makeJudgedGate, newRawKey } from './gate.ts';

const SPOILS = 'This output spoils its own question.';
const LONG = `${SPOILS} ${'word '.repeat(4_000)}`;
const ONCE = { headers: { 'x-should-retry': 'false' } };
const limited = (code: string, message: string) => failure(429, { ...ONCE, code, message });
const overloaded = (status: number): Answer =>
  raw('{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', undefined, status);

interface Row {
  readonly code: string;
  readonly answer: Answer;
  readonly output?: string;
  readonly provider?: string;
  /** Where the other question of the run is answered. */
  readonly beside: string;
  /** Where all outputs of the run meet it. */
  readonly alone: string;
}

const MAY_BE_OF_OUTPUT = { beside: 'candidate', alone: 'service' } as const;
const OF_SERVICE = { beside: 'service', alone: 'service' } as const;
const OF_CANDIDATE = { beside: 'candidate', alone: 'candidate' } as const;
const OF_BAR = { beside: 'bar', alone: 'bar' } as const;
const TOKENS = 'Rate limit reached on tokens per min (TPM): Limit 30000, Used 29000.';

const ROWS: Readonly<Record<string, Row>> = {
  'keeps the judge thinking': { code: 'JUDGE_TIMEOUT', answer: hang(), ...MAY_BE_OF_OUTPUT },
  'makes the provider fail': { code: 'JUDGE_UNAVAILABLE', answer: failure(500, ONCE), ...MAY_BE_OF_OUTPUT },
  'makes a gateway fail': { code: 'JUDGE_UNAVAILABLE', answer: failure(502, ONCE), ...MAY_BE_OF_OUTPUT },
  'has its answer cut': { code: 'JUDGE_UNAVAILABLE', answer: cut(), ...MAY_BE_OF_OUTPUT },
  'times out at the provider': { code: 'JUDGE_TIMEOUT', answer: failure(408, ONCE), ...MAY_BE_OF_OUTPUT },
  'meets an overload': {
    code: 'JUDGE_UNAVAILABLE',
    provider: 'anthropic',
    answer: overloaded(400),
    ...OF_SERVICE,
  },
  'is short and meets a limit of tokens': {
    code: 'JUDGE_RATE_LIMITED',
    answer: limited('rate_limit_exceeded', TOKENS),
    ...OF_SERVICE,
  },
  'is long and meets a limit of tokens': {
    code: 'JUDGE_RATE_LIMITED',
    answer: limited('rate_limit_exceeded', TOKENS),
    output: LONG,
    ...OF_CANDIDATE,
  },
  'is long and meets a limit that is not named': {
    code: 'JUDGE_RATE_LIMITED',
    answer: limited('429', 'Too Many Requests'),
    output: LONG,
    ...OF_CANDIDATE,
  },
  'is long and meets a limit of requests': {
    code: 'JUDGE_RATE_LIMITED',
    answer: limited('requests', 'Limit 3 requests per min.'),
    output: LONG,
    ...OF_SERVICE,
  },
  'uses up the month': {
    code: 'JUDGE_NO_CREDIT',
    answer: limited('project_spend_limit_exceeded', 'Hard limit reached.'),
    ...OF_BAR,
  },
};

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage(() => ({ JUDGE_CALL_TIMEOUT_MS: '5000' }));
  const byModel = new Map(Object.values(ROWS).map((row, index) => [`model-${index}`, row.answer]));
  const spoilt = (model: string) => byModel.get(model) ?? failure(503, ONCE);
  stage.providers.always('all', (call, response) =>
    (call.user.includes(SPOILS) ? spoilt(call.model) : verdict())(call, response),
  );
});
afterAll(() => stage.stop());

const rowsOf = Object.entries(ROWS).map(([what, row], index) => ({ what, model: `model-${index}`, ...row }));

type Outputs = readonly { readonly case: string; readonly output: string }[];

async function judged(gate: Awaited<ReturnType<typeof makeJudgedGate>>, outputs: Outputs) {
  const body = { suite: gate.suite.slug, outputs, async: true };
  const { body: accepted } = await gate.client('POST', '/v1/run', body);
  const run = await ended(gate.client, accepted.id);
  return { run, results: await resultsOf(gate.client, run.id) };
}

async function outcomesOf({ model, provider = 'openai', output = SPOILS }: (typeof rowsOf)[number]) {
  const caseOf = (index: number) => ({ key: `case-${index}`, must_pass: true });
  const gate = await makeJudgedGate(stage, { provider, count: 2, config: { model }, caseOf });
  const spoilt = { case: 'case-0', output };
  return Promise.all([
    judged(gate, [spoilt, { case: 'case-1', output: 'Paris' }]),
    judged(gate, [spoilt, { ...spoilt, case: 'case-1' }]),
  ]);
}

describe('an output that the judge does not answer', () => {
  let outcomes: readonly Awaited<ReturnType<typeof outcomesOf>>[];
  beforeAll(async () => {
    outcomes = await Promise.all(rowsOf.map(outcomesOf));
  });

  test.each(rowsOf.map((row, index) => ({ ...row, index })))(
    'and that $what counts as the fault of the $beside where another output is judged, of the $alone where none is',
    ({ index, code, beside, alone }) => {
      const [one, both] = outcomes[index] ?? [];
      const errored = (fault: string) => ({ errored: true, scorer_output: { error: code }, fault });
      expect(one?.results).toMatchObject([errored(beside), { passed: true }]);
      expect(one?.run).toMatchObject({ inconclusive: true, fault: beside });
      expect(both?.results).toMatchObject([errored(alone), errored(alone)]);
      expect(both?.run).toMatchObject({ inconclusive: true, fault: alone });
    },
  );
});

test('an answer of another provider excuses no output, and blames none', async () => {
  const gate = await makeJudgedGate(stage, { caseOf: () => ({ key: 'openai' }) });
  await makeKey(gate.client, { provider: 'anthropic', key: newRawKey() });
  await gate.add(judgeOf(stage.providers, 'anthropic'), { key: 'other' });
  const { run, results } = await judged(gate, [
    { case: 'openai', output: SPOILS },
    { case: 'other', output: 'Paris' },
  ]);
  expect(results).toMatchObject([{ fault: 'service' }, { passed: true }]);
  expect(run).toMatchObject({ inconclusive: true, fault: 'service' });
});

test('where one chunk of a run is answered, what another did not get answered is the fault of the candidate', async () => {
  const caseOf = (index: number) => ({ key: `case-${index}`, sample_count: 100, must_pass: true });
  const gate = await makeJudgedGate(stage, { count: 3, caseOf });
  const outputsOf = (last: string): Outputs =>
    gate.cases.flatMap(({ key }, index) =>
      Array.from({ length: 100 }, () => ({ case: key, output: index === 2 ? last : SPOILS })),
    );
  const [one, none] = await Promise.all([judged(gate, outputsOf('Paris')), judged(gate, outputsOf(SPOILS))]);
  expect(new Set(one.results.slice(0, 2).map(({ fault }) => fault))).toEqual(new Set(['candidate']));
  const ofSamples = one.results
    .slice(0, 2)
    .flatMap(({ samples }) => samples.map((sample: { fault?: string }) => sample.fault));
  expect(new Set(ofSamples)).toEqual(new Set(['candidate']));
  expect(one.run).toMatchObject({ inconclusive: true, fault: 'candidate' });
  expect(new Set(none.results.map(({ fault }) => fault))).toEqual(new Set(['service']));
  expect(none.run).toMatchObject({ inconclusive: true, fault: 'service' });
});
