import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { makeCase } from '../../support/builders.ts';
import { eventually } from '../../support/service.ts';
import { type BaselineGate, makeBaselineGate } from './baselineGate.ts';

const url = sharedServiceUrl();
const WORDS = Array.from({ length: 12 }, (_, at) => at);

const gateOf = (run: { verdict: { gates: { gate: string }[] } }, name: string) =>
  run.verdict.gates.find(({ gate }) => gate === name);

/** Cases whose words are prefixes of none other. */
const withGates = (
  gates: object,
  words: readonly string[] = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'],
) => makeBaselineGate(url, { pass_threshold: 0, gates }, { words });

/** The same output by the queue. */
async function queued({ gate }: BaselineGate, output: string) {
  const { body } = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output, async: true });
  const read = async () => (await gate.client('GET', `/v1/runs/${body.id}`)).body.data;
  await eventually(async () => (await read()).status !== 'pending');
  return read();
}

test('without a baseline relative gates are inconclusive, and say what to do', async () => {
  const { gate } = await withGates({ max_newly_failing: 0, regression: {} });
  const run = await gate.run('alpha beta gamma delta epsilon');
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true, baseline_id: null, comparison: null });
  for (const name of ['max_newly_failing', 'regression'])
    expect(gateOf(run as never, name)).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(/accept a run/),
    });
});

test('a run states what got worse, and the gate fails by it, at once and through the queue alike', async () => {
  const made = await withGates({ max_newly_failing: 0 });
  const { gate, accept } = made;
  const { id } = (await accept([(await gate.run('alpha beta gamma')).id])).body.data;
  expect(await gate.run('alpha beta gamma delta')).toMatchObject({
    status: 'cleared',
    baseline_id: id,
    comparison: {
      baseline_id: id,
      newly_failing: [],
      newly_failing_count: 0,
      difference: 0.2,
      comparable: true,
    },
  });
  const worse = await gate.run('alpha delta epsilon');
  expect(worse).toMatchObject({
    status: 'aborted',
    inconclusive: false,
    baseline_id: id,
    comparison: { newly_failing: ['says-beta', 'says-gamma'], newly_failing_count: 2, difference: 0 },
  });
  expect(gateOf(worse as never, 'max_newly_failing')).toMatchObject({
    status: 'failed',
    observed: 2,
    required: 0,
    cases: ['says-beta', 'says-gamma'],
  });
  const later = await queued(made, 'alpha delta epsilon');
  const { scores: _, failures: __, ...atOnce } = worse;
  const shown = ({ id: ___, passed: ____, duration_ms: _____, ...rest }: Record<string, unknown>) => rest;
  expect(later).toMatchObject(shown(atOnce));
});

test('no later baseline judges a run again', async () => {
  const { gate, accept } = await withGates({ max_newly_failing: 0 });
  await accept([(await gate.run('alpha')).id]);
  const run = await gate.run('beta');
  const before = (await gate.client('GET', `/v1/runs/${run.id}`)).body;
  expect(before.data.comparison.newly_failing).toEqual(['says-alpha']);
  await accept([run.id]);
  expect((await gate.client('GET', `/v1/runs/${run.id}`)).body).toEqual(before);
});

test('a baseline that can hardly be compared clears nothing', async () => {
  const { gate, accept } = await withGates({ max_newly_failing: 5 });
  await accept([(await gate.run('alpha beta gamma delta epsilon')).id]);
  const { data } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  for (const { id } of data.slice(0, 2)) await gate.client('PATCH', `/v1/cases/${id}`, { threshold: 0.9 });
  const run = await gate.run('alpha beta gamma delta epsilon');
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true, comparison: { comparable: false } });
  expect(gateOf(run as never, 'max_newly_failing')).toMatchObject({
    status: 'inconclusive',
    reason: expect.stringMatching(/^not comparable: 60 % of the weight/),
  });
});

test('cases in a new order, and names of cases and scorers, change nothing of a comparison', async () => {
  const { gate, accept } = await withGates({ max_newly_failing: 0 });
  await accept([(await gate.run('alpha beta gamma')).id]);
  const path = `/v1/suites/${gate.suite.id}/cases`;
  const { data } = (await gate.client('GET', path)).body;
  const ids = data.map(({ id }: { id: string }) => id);
  expect((await gate.client('POST', `${path}/reorder`, { case_ids: ids.toReversed() })).status).toBe(200);
  await gate.client('PATCH', `/v1/cases/${ids[0]}`, { name: 'Another name' });
  await gate.client('PATCH', `/v1/scorers/${data[1].scorer_id}`, { name: 'Another name' });
  expect((await gate.run('beta gamma epsilon')).comparison).toMatchObject({
    newly_failing: ['says-alpha'],
    comparable: true,
  });
});

const EDITS: readonly [what: string, edit: object, effect: string, class_: string][] = [
  ['tags', { tags: ['moved'] }, 'same', 'newly_failing'],
  ['a name and a description', { name: 'Other', description: 'Other' }, 'same', 'newly_failing'],
  ['the duty to pass', { must_pass: true }, 'stricter', 'newly_failing'],
  ['weights', { weight: 0.001 }, 'may be weaker', 'newly_failing'],
  ['a higher threshold', { threshold: 0.9 }, 'stricter', 'changed'],
  ['more samples', { sample_count: 2, sample_pass_rate: 0.5 }, 'may be weaker', 'changed'],
  ['other inputs', { input: { question: 'Why?' } }, 'may be weaker', 'changed'],
  ['other expectations', { expected: 'x' }, 'may be weaker', 'changed'],
];
const TEN = Array.from({ length: 10 }, (_, at) => `item${String.fromCharCode(97 + at)}`);

test.each(EDITS)(
  'what a push of %s changes, and fails then, is never cleared',
  async (_, edit, effect, class_) => {
    const gates = { max_newly_failing: 0, regression: { alpha: 0.5, min_drop: 0.1 } };
    const { gate, accept, comparison } = await withGates(gates, TEN);
    const { client, project, suite } = gate;
    const outputsOf = (passing: number) =>
      TEN.map((word, at) => ({ case: `says-${word}`, output: at < passing ? word : 'nothing' }));
    const run = async (passing: number) =>
      (await client('POST', '/v1/run', { suite: suite.slug, outputs: outputsOf(passing) })).body;
    await accept([(await run(10)).id]);
    expect((await run(10)).status).toBe('cleared');
    const path = `/v1/projects/${project.slug}/suites/${suite.slug}/definition`;
    const { definition } = (await client('GET', path)).body.data;
    const cases = definition.cases.map((one: object, at: number) => (at < 8 ? one : { ...one, ...edit }));
    const pushed = await client('PUT', path, { definition: { ...definition, cases }, allow_weaker: true });
    const effects = pushed.body.data.changes.map((change: { effect: string }) => change.effect);
    expect([pushed.status, ...new Set(effects)]).toEqual([200, effect]);
    const worse = await run(8);
    expect(worse).toMatchObject({
      status: 'aborted',
      inconclusive: class_ === 'changed' && !('must_pass' in edit),
    });
    expect(gateOf(worse, 'max_newly_failing')).toMatchObject({
      status: class_ === 'changed' ? 'inconclusive' : 'failed',
      observed: 2,
      cases: ['says-itemi', 'says-itemj'],
      ...(class_ === 'changed' && { reason: expect.stringMatching(/^2 cases fail that cannot be compared/) }),
    });
    expect((await comparison(worse.id)).body.data.counts).toMatchObject({ [class_]: 2 });
  },
);

test('more cases are added ones, and a case that is gone is missing: both only lower the coverage', async () => {
  const { gate, accept, comparison } = await withGates({ max_newly_failing: 0, min_comparable: 0.5 });
  await accept([(await gate.run('alpha beta')).id]);
  const { data } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  await gate.client('DELETE', `/v1/cases/${data[4].id}`);
  await makeCase(gate.client, gate.suite, { id: data[0].scorer_id }, { name: 'Says alpha again' });
  const run = await gate.run('alpha');
  expect(run.comparison).toMatchObject({ newly_failing: ['says-beta'], comparable: true });
  const { counts, coverage, cases } = (await comparison(run.id)).body.data;
  expect({ coverage, ...counts }).toMatchObject({ coverage: 0.8, compared: 4, added: 1, missing: 1 });
  expect(cases.missing).toEqual([expect.objectContaining({ key: 'says-epsilon', baseline_score: 0 })]);
  expect(cases.added).toEqual([expect.objectContaining({ key: 'says-alpha-again', score: 1 })]);
});

test('a fall that chance does not explain fails the gate regression; one that it may explain does not', async () => {
  const words = WORDS.map((_, at) => `item${String.fromCharCode(97 + at)}`);
  const { gate, accept } = await withGates({ regression: {} }, words);
  await accept([(await gate.run(words.join(' '))).id]);
  expect((await gate.run(words.slice(3).join(' '))).status).toBe('cleared');
  const worse = await gate.run(words.slice(4).join(' '));
  expect(worse).toMatchObject({ status: 'aborted', inconclusive: false, comparison: { p_value: 0.03125 } });
  expect(gateOf(worse as never, 'regression')).toMatchObject({
    status: 'failed',
    observed: 0.03125,
    required: 0.05,
  });
});
