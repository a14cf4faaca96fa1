import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Random } from '../../faults/random.ts';
import { dropExpired } from '../../support/dropExpired.ts';
import { type Providers, startProviders, verdict } from '../../support/providers.ts';
import { textsOfItems } from '../../support/textsOfItems.ts';
import { makeKey } from '../byokKeys/keys.ts';
import { judgeOf, newRawKey } from '../judged/gate.ts';
import { type Gate, makeGate } from '../runs/gate.ts';
import { startUpgrading, type Upgrading } from './upgrading.ts';

let providers: Providers;
let upgrading: Upgrading;
beforeAll(async () => {
  providers = await startProviders();
  Object.assign(process.env, providers.env);
  upgrading = await startUpgrading();
});
afterAll(async () => {
  await upgrading.stop();
  await providers.stop();
});

const random = new Random(1);
const token = (): string => `t${random.uuid().replaceAll('-', '').slice(0, 12)}`;

let outputsMade = 0;

/** Texts of which each word can only come from this output, in one form after the other. */
function anyOutput(): { text: string; words: string[] } {
  const words = Array.from({ length: 12 }, token);
  const [a, b, c, ...rest] = words;
  const forms = [
    words.join(' '),
    `${a}, refund within 30 days, ${rest.join('\n')} ${b} ${c}`,
    JSON.stringify({ [a ?? '']: b, n: 1, list: rest, [`extra ${c}`]: null }),
    JSON.stringify([...words, { n: c }]),
    `n = ${words.join('; n = ')}`,
  ];
  return { text: forms[outputsMade++ % forms.length] ?? '', words };
}

const SCHEMA = { type: 'object', required: ['n', 'm'], properties: { n: { type: 'string' } } };

const ASSERTIONS = [
  { path: '$..*', op: 'equals', value: { $expected: '/n' } },
  { path: '$[*]', op: 'absent' },
  { path: '$', op: 'contains', value: 'refund' },
];

/** Every scorer, plain and dual-sided, and scorers that fail. */
async function addScorers(gate: Gate): Promise<void> {
  const scorers: readonly [Record<string, unknown>, Record<string, unknown>?][] = [
    [{ type: 'exact_match', config: {} }, { expected: 'refund within 30 days' }],
    [{ type: 'exact_match', config: {}, dual_sided: true }, { expected: 'refund within 30 days' }],
    [{ type: 'contains', config: { values: ['30 days', 'label'], mode: 'any' } }],
    [{ type: 'regex', config: { pattern: '(t\\w+)\\W+(\\w+)', flags: 's', should_match: false } }],
    [{ type: 'regex', config: { pattern: 't\\w+' }, dual_sided: true }, { expected: ['a', 'b'] }],
    [{ type: 'json_schema', config: { schema: SCHEMA } }],
    [{ type: 'json_schema', config: { schema: SCHEMA }, dual_sided: true }],
    [{ type: 'json_schema', config: { schema: SCHEMA, extract: 'embedded' } }],
    [{ type: 'json_path', config: { assertions: ASSERTIONS, partial: true } }, { expected: { n: 'a' } }],
    [
      { type: 'json_path', config: { assertions: ASSERTIONS, extract: 'embedded' } },
      { expected: { n: 'a' } },
    ],
    [{ type: 'similarity', config: { metric: 'rouge_l' } }, { expected: 'refund within 30 days' }],
    // Errors: nothing to compare with, no figures, and a scorer that is gone.
    [{ type: 'json_path', config: { assertions: ASSERTIONS } }, { expected: {} }],
    [{ type: 'metric', config: { field: 'latency_ms', max: 1 } }],
    [{ type: 'exact_match', config: {} }],
    [{ type: 'regex', config: { pattern: 'x' }, dual_sided: true }],
  ];
  for (const [index, [scorer, evalCase]] of scorers.entries()) {
    await gate.add({ name: `Scorer ${index}`, ...scorer }, { name: `Case ${index}`, ...evalCase });
  }
  const { scorer_id } = await gate.add({ type: 'regex', config: { pattern: 'deleted' } });
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
}

/** A second suite of the project, whose cases a model judges in the words of the output. */
async function addJudges(gate: Gate): Promise<Gate> {
  const judged = await makeGate(upgrading.service.baseUrl, { name: 'Judged' }, gate.client);
  await makeKey(gate.client, { key: newRawKey() });
  await judged.add(judgeOf(providers));
  await judged.add({ ...judgeOf(providers), dual_sided: true });
  await judged.add(judgeOf(providers, 'anthropic'));
  return judged;
}

async function judgedRun(gate: Gate, output: ReturnType<typeof anyOutput>): Promise<string> {
  providers.always('openai', verdict({ reasoning: `It says: ${output.text}`, precision: 0.5, recall: 0.5 }));
  const { body } = await gate.client('POST', '/v1/run', {
    suite: gate.suite.slug,
    output: output.text,
    input: { shown: output.words[0] },
    async: true,
  });
  upgrading.evaluator.send({ kind: 'plan', org_id: gate.project.org_id, run_id: body.id });
  await upgrading.evaluator.work();
  return body.id;
}

const nowMs = () => upgrading.service.clock.ms ?? 0;

/** Which words of the outputs can be read in the table, when DynamoDB has dropped what has expired. */
async function wordsLeft(words: readonly string[]): Promise<string[]> {
  await dropExpired(upgrading.service, nowMs());
  const texts = textsOfItems(await upgrading.service.items());
  return words.filter((word) => texts.some((text) => text.includes(word)));
}

const itemsOf = async (part: string) =>
  (await upgrading.service.items()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(part));

test('after retention no word of an output is left in the table, also where its suite goes on being run', async () => {
  const { day, gate: newGate } = upgrading;
  day(0);
  const gate = await newGate();
  await addScorers(gate);
  const judged = await addJudges(gate);
  const outputs = Array.from({ length: 8 }, anyOutput);
  const words = outputs.flatMap((output) => output.words);
  for (const output of outputs) {
    const body = { suite: gate.suite.slug, output: output.text };
    const sent = await gate.client('POST', '/v1/run', body, { 'idempotency-key': token() });
    expect(sent.status).toBe(200);
  }
  for (const output of outputs.slice(0, 3)) await judgedRun(judged, output);
  expect(await wordsLeft(words)).toEqual(words);
  const kept: string[] = [];
  for (const days of [12, 24, 36, 48, 60]) {
    day(days);
    kept.push((await gate.run(anyOutput().text)).id);
  }
  expect(await wordsLeft(words)).toEqual([]);
  const results = await gate.client('GET', `/v1/runs/${kept.at(-1)}/results`);
  expect(results.body.data).toHaveLength(17);
});

test('after the deletion of a project, and its purge, no word of an output is left in the table, and no item of the project', async () => {
  const { day, evaluator, gate: newGate } = upgrading;
  day(100);
  const gate = await newGate();
  await upgrading.changePlan(gate, 'pro');
  await evaluator.work();
  await addScorers(gate);
  const large = { question: 'x'.repeat(200_000) };
  await gate.add({}, { input: large, expected: 'y'.repeat(200_000) });
  const judged = await addJudges(gate);
  const outputs = Array.from({ length: 6 }, anyOutput);
  const words = outputs.flatMap((output) => output.words);
  for (const output of outputs) await gate.run(output.text);
  await judgedRun(judged, outputs[0] ?? anyOutput());
  // Its runs outlive the suite, but not the project.
  const { slug } = judged.project;
  expect((await gate.client('DELETE', `/v1/projects/${slug}/suites/${judged.suite.slug}`)).status).toBe(204);
  for (const { project } of [gate, judged])
    expect((await gate.client('DELETE', `/v1/projects/${project.slug}`)).status).toBe(204);
  // Until then a deletion is soft.
  for (const days of [100.1, 103.2, 129]) {
    day(days);
    await evaluator.purge();
    expect(await wordsLeft(words)).toEqual(words);
  }
  for (const days of [130.5, 132]) {
    day(days);
    await evaluator.purge();
    expect(await wordsLeft(words)).toEqual([]);
  }
  for (const { project, suite } of [gate, judged]) {
    // How many runs it had is billed, and shown, as a part of the organisation's month.
    const left = (await itemsOf(project.id)).filter(({ sk }) => !String(sk).startsWith('USAGE#'));
    expect(left).toEqual([]);
    expect(await itemsOf(suite.id)).toEqual([]);
  }
  const ofOrganisation = await itemsOf(`ORG#${gate.project.org_id}`);
  const kinds = new Set(ofOrganisation.map(({ sk }) => String(sk).replace(/#.*/, '')));
  expect(kinds).toEqual(new Set(['APIKEY', 'BYOKKEY', 'LIST', 'LOG', 'OPENCASES', 'ORG', 'USAGE']));
});

test('a deleted suite goes with its cases, large ones too, but its runs stay readable', async () => {
  const { day, evaluator, gate: newGate } = upgrading;
  day(300);
  const gate = await newGate();
  await upgrading.changePlan(gate, 'pro');
  await evaluator.work();
  const id = (await gate.run('ok')).id;
  await gate.add({}, { input: { text: 'x'.repeat(200_000) }, expected: 'y'.repeat(200_000) });
  const { project, suite } = gate;
  await gate.client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  const texts = async () => (await itemsOf(suite.id)).filter(({ sk }) => String(sk).startsWith('TEXTS#'));
  day(329.9);
  await evaluator.purge();
  expect(await texts()).not.toEqual([]);
  day(330.1);
  await evaluator.purge();
  expect(await texts()).toEqual([]);
  const [result] = (await gate.client('GET', `/v1/runs/${id}/results`)).body.data;
  expect(result).toMatchObject({ passed: true });
  for (const days of [300 + 365 + 17.1, 300 + 365 + 19]) {
    day(days);
    await evaluator.purge();
  }
  await dropExpired(upgrading.service, nowMs());
  expect(await itemsOf(suite.id)).toEqual([]);
});
