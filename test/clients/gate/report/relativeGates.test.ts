import { expect, test } from '@jest/globals';
import { gateFigures, summaryOf } from '../../../../clients/gate/report/summary.ts';
import { written } from '../../../../clients/gate/report/words.ts';
import { aReport, aResult } from './reports.ts';

type Gate = NonNullable<ReturnType<typeof aReport>['run']['verdict']>['gates'][number];

function linesOf(...gates: readonly object[]): string[] {
  const run = aReport().run;
  const verdict = run.verdict && { ...run.verdict, gates: gates as Gate[], flips: null };
  return summaryOf(aReport({ verdict })).facts.map((words) => written(words, (text) => text));
}

test('a gate that compares names how many cases are newly failing, and how likely chance alone is', () => {
  expect(
    linesOf(
      { gate: 'max_newly_failing', status: 'failed', observed: 2, required: 0, cases: ['a', 'b'] },
      { gate: 'regression', status: 'failed', observed: 0.0327148, required: 0.05, difference: -0.06 },
    ),
  ).toEqual([
    'max_newly_failing: 2 cases newly failing, 0 allowed: a, b',
    'regression: p = 0.0327 that chance alone makes it so much worse; 0.05 or less fails',
  ]);
});

test('where the gate counts more cases than newly fail, it names what the others are', () => {
  const gate = { gate: 'max_newly_failing', status: 'failed', observed: 2, required: 0, cases: ['a', 'b'] };
  const comparison = {
    baseline_id: 'b',
    newly_failing: ['a'],
    newly_failing_count: 1,
    difference: -0.5,
    p_value: 0.5,
    comparable: true,
  };
  const lineOf = (errored_cases: number, isErrored: boolean): string => {
    const verdict = { ...aReport().run.verdict, gates: [gate], flips: null } as never;
    const report = aReport({ verdict, comparison, errored_cases }, [
      aResult({ key: 'b', errored: isErrored }),
    ]);
    return written(gateFigures(gate as Gate, report), (text) => text);
  };
  expect(lineOf(1, true)).toBe('2 cases newly failing or unjudged, 0 allowed: a, b');
  expect(lineOf(0, false)).toBe('2 cases newly failing or not comparable, 0 allowed: a, b');
  expect(lineOf(1, false)).toBe('2 cases newly failing or unjudged or not comparable, 0 allowed: a, b');
});

test('without a baseline the report names that there is nothing to compare with, and what to do', () => {
  const reason = 'no baseline: accept a run with scope full';
  expect(
    linesOf({ gate: 'regression', status: 'inconclusive', observed: null, required: 0.05, reason }),
  ).toEqual([
    'regression: nothing to compare with (inconclusive: no baseline: accept a run with scope full)',
  ]);
});

test('a run that could not be evaluated is not reported to lack a baseline, a scorer or a key', () => {
  const run = aReport({ verdict: null, fault: 'bar', inconclusive: true, status: 'aborted' });
  const said = summaryOf(run).facts.map((words) => written(words, (text) => text));
  expect(said).toContainEqual(
    expect.stringMatching(/^not excusable: the verdict of the suite .* run the gate again/),
  );
  expect(said.join()).not.toContain('keys');
});

test('the heading of a cleared run counts cases that are newly failing, which no gate holds up', () => {
  const headed = (newly_failing_count: number, status: 'cleared' | 'aborted') => {
    const comparison = {
      baseline_id: 'b',
      newly_failing: [],
      newly_failing_count,
      difference: 0,
      p_value: 1,
      comparable: true,
    };
    return written(summaryOf(aReport({ status, comparison })).headline, (text) => text);
  };
  expect(headed(0, 'cleared')).toMatch(/^cleared: /);
  expect(headed(1, 'cleared')).toMatch(/^cleared, but 1 case newly failing: /);
  expect(headed(2, 'cleared')).toMatch(/^cleared, but 2 cases newly failing: /);
  expect(headed(2, 'aborted')).toMatch(/^aborted/);
});
