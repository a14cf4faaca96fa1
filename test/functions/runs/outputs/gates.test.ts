import { beforeEach, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { ALL, gateOf, makeTrust, right, type Trust } from './trust.ts';

let trust: Trust;
beforeEach(async () => {
  trust = await makeTrust(sharedServiceUrl());
});

const wrong = (key: string) => ({ case: key, output: 'x' });
const error = (key: string) => ({ case: key, error: '429' });

describe('a case that must pass', () => {
  beforeEach(() => trust.patchCase('d', { must_pass: true }));

  test('aborts when it fails, or is missing, whatever the pass rate', async () => {
    for (const items of [[...right('a', 'b', 'c'), wrong('d')], right('a', 'b', 'c')]) {
      const verdict = await trust.run(items);
      expect(verdict).toMatchObject({
        status: 'aborted',
        inconclusive: false,
        pass_rate: 0.75,
        verdict: {
          decided_by: ['must_pass'],
          flips: { to: 'cleared', cases: 1, exact: true, case_ids: [trust.cases.d.id] },
        },
      });
      expect(verdict.verdict.gates).toEqual([
        { gate: 'pass_rate', status: 'passed', observed: 0.75, required: 0.6 },
        { gate: 'must_pass', status: 'failed', observed: 1, required: 0, cases: ['d'] },
      ]);
      expect((await trust.client('GET', `/v1/runs/${verdict.id}`)).body.data.verdict).toEqual(
        verdict.verdict,
      );
    }
  });

  test('leaves the run inconclusive when it is errored', async () => {
    const verdict = await trust.run([...right('a', 'b', 'c'), error('d')]);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true, pass_rate: 0.75 });
    expect(verdict.verdict.decided_by).toEqual(['must_pass']);
    expect(gateOf(verdict, 'must_pass')).toMatchObject({ status: 'inconclusive', observed: 1, cases: ['d'] });
  });

  test('aborts when it is errored and another gate fails', async () => {
    const verdict = await trust.run([...right('a'), wrong('b'), wrong('c'), error('d')]);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: false });
    expect(verdict.verdict.decided_by).toEqual(['pass_rate', 'must_pass']);
  });

  test('clears when it passes, and one failure of its flips the run', async () => {
    const verdict = await trust.run([...right('a', 'b', 'd'), wrong('c')]);
    expect(verdict.status).toBe('cleared');
    expect(verdict.verdict.flips).toEqual({ to: 'aborted', cases: 1, exact: true, case_ids: [] });
  });
});

describe('a gate of a tag', () => {
  const gates = { tags: [{ tag: 'safety', pass_threshold: 1, min_judged_cases: 2 }] };
  beforeEach(async () => {
    await trust.patchSuite({ gates });
    for (const key of ['a', 'b'] as const) await trust.patchCase(key, { tags: ['safety', 'other'] });
  });

  test('passes with what it needs, at its own threshold', async () => {
    const verdict = await trust.run([...right('a', 'b', 'c'), wrong('d')]);
    expect(verdict.status).toBe('cleared');
    expect(gateOf(verdict, 'tag:safety')).toEqual({
      gate: 'tag:safety',
      status: 'passed',
      observed: 1,
      required: 1,
      judged_cases: 2,
    });
  });

  test('is inconclusive when a case of it is errored, and states how many it needs', async () => {
    const verdict = await trust.run([...right('a', 'c', 'd'), error('b')]);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true });
    expect(verdict.verdict.decided_by).toEqual(['tag:safety']);
    expect(gateOf(verdict, 'tag:safety')).toMatchObject({
      status: 'inconclusive',
      judged_cases: 1,
      reason: expect.stringContaining('1 of 2'),
    });
  });

  test('fails when a case of it fails, or is missing', async () => {
    for (const items of [[...right('a', 'c', 'd'), wrong('b')], right('a', 'c', 'd')]) {
      const verdict = await trust.run(items);
      expect(verdict).toMatchObject({ status: 'aborted', inconclusive: false, pass_rate: 0.75 });
      expect(verdict.verdict.decided_by).toEqual(['tag:safety']);
      expect(gateOf(verdict, 'tag:safety')).toMatchObject({ status: 'failed', observed: 0.5 });
    }
  });

  test('that no case has is inconclusive: what checks nothing must not clear', async () => {
    for (const key of ['a', 'b'] as const) await trust.patchCase(key, { tags: [] });
    const verdict = await trust.run(ALL);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true, pass_rate: 1 });
    expect(gateOf(verdict, 'tag:safety')).toMatchObject({ status: 'inconclusive', judged_cases: 0 });
    expect(verdict.verdict.flips).toBeNull();
  });

  test('that is misspelt is refused by name, and the former gates stay in force', async () => {
    const path = '/v1/projects/trust/suites/t';
    expectInvalid(await trust.client('PATCH', path, { gates: { tagz: [] } }), 'gates.tagz');
    expect((await trust.run([...right('a', 'c', 'd'), wrong('b')])).status).toBe('aborted');
  });
});

describe('other gates', () => {
  test('hold a run up for want of evidence, whatever its pass rate', async () => {
    await trust.patchSuite({ gates: { min_judged_cases: 4 }, pass_threshold: 0.5 });
    expect((await trust.run(ALL)).status).toBe('cleared');
    const errored = await trust.run([...right('a', 'b', 'c'), error('d')]);
    expect(errored).toMatchObject({ status: 'aborted', inconclusive: true, pass_rate: 0.75 });
    expect(gateOf(errored, 'min_judged_cases')).toMatchObject({
      status: 'inconclusive',
      observed: 3,
      required: 4,
      reason: expect.any(String),
    });
    // A missing case fails, but nothing is known of it.
    expect(await trust.run(right('a', 'b', 'c'))).toMatchObject({ status: 'aborted', inconclusive: true });
  });

  test('are inconclusive by a lower bound that four cases can’t prove, and say how many it takes', async () => {
    await trust.patchSuite({ gates: { min_lower_bound: 0.51 } });
    expect((await trust.run(ALL)).status).toBe('cleared');
    await trust.patchSuite({ gates: { min_lower_bound: 0.511 } });
    const verdict = await trust.run(ALL);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'bar', pass_rate: 1 });
    expect(gateOf(verdict, 'min_lower_bound')).toEqual({
      gate: 'min_lower_bound',
      status: 'inconclusive',
      observed: expect.closeTo(0.510109, 6),
      required: 0.511,
      reason: '4 cases prove at most 0.51, even if all pass: it takes 5 cases',
    });
    await trust.patchSuite({ gates: { min_lower_bound: 0.5 } });
    expect(await trust.run([...right('a', 'b', 'c'), wrong('d')])).toMatchObject({ inconclusive: false });
  });

  test('that compare are inconclusive without a baseline, and say what to do', async () => {
    await trust.patchSuite({ gates: { max_newly_failing: 0, regression: {} } });
    const verdict = await trust.run(ALL);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'bar', pass_rate: 1 });
    const none = {
      status: 'inconclusive',
      observed: null,
      reason: 'no baseline: accept a run with scope full',
    };
    expect(gateOf(verdict, 'max_newly_failing')).toEqual({
      gate: 'max_newly_failing',
      required: 0,
      ...none,
    });
    expect(gateOf(verdict, 'regression')).toEqual({ gate: 'regression', required: 0.05, ...none });
    expect(verdict.verdict.flips).toBeNull();
    expect((await trust.client('GET', `/v1/runs/${verdict.id}`)).body.data.verdict).toEqual(verdict.verdict);
  });

  test('stand in one order, whatever the order in which they were set', async () => {
    await trust.patchCase('a', { must_pass: true, tags: ['x'] });
    const tag = (name: string) => ({ tag: name, pass_threshold: 0 });
    const gates = { tags: [tag('y'), tag('x')], min_lower_bound: 0, min_judged_cases: 1 };
    await trust.patchSuite({ gates });
    const names = (await trust.run(ALL)).verdict.gates.map(({ gate }: { gate: string }) => gate);
    expect(names).toEqual([
      'pass_rate',
      'min_judged_cases',
      'min_lower_bound',
      'must_pass',
      'tag:y',
      'tag:x',
    ]);
  });

  test('judge one output for all cases, too', async () => {
    await trust.patchCase('d', { must_pass: true });
    await trust.patchSuite({ pass_threshold: 0 });
    const { body } = await trust.send(undefined, { output: 'a' });
    expect(body).toMatchObject({ status: 'aborted', verdict: { decided_by: ['must_pass'] } });
  });
});
