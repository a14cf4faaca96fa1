import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { abortingCases } from '../../../../clients/gate/report/review/flips.ts';
import { textReport } from '../../../../clients/gate/report/text.ts';
import { verdictDetail } from '../../../../shared/scoring/verdict/detail.ts';
import { foldVerdict } from '../../../../shared/scoring/verdict/foldVerdict.ts';
import type { GatedCase, GateSettings } from '../../../../shared/scoring/verdict/gating.ts';
import { bars, caseOf, casesUpTo, modelClears, withOutcome } from '../../../shared/scoring/verdict/model.ts';
import { aReport, aResult } from './reports.ts';

function reportOf(cases: readonly GatedCase[], bar: GateSettings) {
  const { kept, ...figures } = foldVerdict(cases, bar);
  const results = cases.map(({ key, passed, weight, mustPass, tags, advisory }) =>
    aResult({
      case_id: key,
      case_name: key,
      key,
      passed,
      weight,
      tags: [...tags],
      advisory,
      must_pass: mustPass,
    }),
  );
  // As it comes over the wire.
  const verdict = JSON.parse(JSON.stringify(verdictDetail(figures, bar.passThreshold, kept)));
  return aReport({ ...figures, verdict, pass_threshold: bar.passThreshold }, results);
}

test('the cases that are named abort a cleared run when they fail, and are as many as in the verdict', () => {
  let [named, cleared] = [0, 0];
  fc.assert(
    fc.property(casesUpTo(9), bars, (given, { passThreshold, gates: { min_lower_bound: _, ...gates } }) => {
      const bar = { passThreshold, gates };
      // A run is cleared more often.
      const cases = given.map((one, at) => (at % 4 === 0 ? one : withOutcome(one, 'passed')));
      const report = reportOf(cases, bar);
      if (report.run.status !== 'cleared' || !report.run.verdict?.flips) return;
      cleared++;
      const keys = abortingCases(report);
      if (keys.length === 0) return;
      named++;
      expect(keys).toHaveLength(report.run.verdict.flips.cases);
      const failed = new Set(keys);
      const after = cases.map((one) => (failed.has(one.key) ? withOutcome(one, 'failed') : one));
      expect(modelClears(after, bar)).toBe(false);
      expect(abortingCases({ ...report, isComplete: false })).toEqual([]);
    }),
    { numRuns: 300 },
  );
  expect(cleared).toBeGreaterThan(50);
  expect(named / cleared).toBeGreaterThan(0.9);
});

test('a run that lacks many cases states how much is missing, never as nothing, and names none', () => {
  const sentence = (passed: number, all: number) => {
    const cases = Array.from({ length: all }, (_, at) => caseOf(`c${at}`, at < passed ? 'passed' : 'failed'));
    return textReport(reportOf(cases, { passThreshold: 0.9, gates: {} }));
  };
  expect(sentence(12, 20)).toContain('the pass rate lacks 30.0 points');
  expect(sentence(12, 20)).not.toContain('such as');
  expect(sentence(13, 20)).toContain('5 more cases that pass would have it cleared, such as c13, c14');
  expect(sentence(8_994, 10_000)).toContain('the pass rate lacks 0.1 points');
});

test('a report of a cleared run names them', () => {
  const cases = ['a', 'b', 'c'].map((id) => caseOf(id, 'passed', { weight: id === 'b' ? 2 : 1 }));
  const sentence = (bar: GateSettings) => textReport(reportOf(cases, bar)).split('\n')[2];
  expect(sentence({ passThreshold: 0.6, gates: {} })).toBe(
    '  1 more case that fails would have it aborted, such as b',
  );
  expect(sentence({ passThreshold: 0.5, gates: {} })).toBe(
    '  2 more cases that fail would have it aborted, such as b, a',
  );
});
