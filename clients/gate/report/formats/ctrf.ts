import { safeJson } from '../escape.ts';
import { resultState } from '../results.ts';
import { hiddenSentence } from '../summary.ts';
import type { Report } from '../types.ts';
import { type TestCase, testsOf } from './junit.ts';

/** What CTRF calls what JUnit has an element for. What could not be judged has neither passed nor failed. */
const STATUS = { failure: 'failed', error: 'other', skipped: 'skipped' } as const;

const statusOf = ({ problem }: TestCase) => (problem === undefined ? 'passed' : STATUS[problem.element]);

/** Common Test Report Format: the tests of JUnit as JSON. */
export function ctrfReport(report: Report): string {
  const { created_at, duration_ms } = report.run;
  const { verdict, cases } = testsOf(report);
  const tests = [...verdict, ...cases];
  const count = (status: string): number => tests.filter((test) => statusOf(test) === status).length;
  const start = created_at === undefined ? Date.now() - duration_ms : Date.parse(created_at);
  const results = {
    tool: { name: 'evalgate', extra: { run: report.run.id } },
    summary: {
      tests: tests.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      pending: 0,
      other: count('other'),
      start,
      stop: start + duration_ms,
      duration: duration_ms,
    },
    tests: tests.map(testOf),
    ...(report.areHidden && { extra: { results_hidden: hiddenSentence(report.run) } }),
  };
  const head = { reportFormat: 'CTRF', specVersion: '0.1.0', generatedBy: 'evalgate' };
  return `${safeJson({ ...head, results }, 2)}\n`;
}

function testOf(test: TestCase): object {
  const { name, className, ms = 0, problem, place, result } = test;
  return {
    ...(result && { id: result.case_id }),
    name,
    status: statusOf(test),
    duration: ms,
    suite: [className],
    ...(problem && { message: problem.message }),
    ...(problem && problem.body !== '' && { trace: problem.body }),
    ...(place && { filePath: place.file, line: place.line }),
    ...(result && {
      rawStatus: resultState(result),
      tags: result.tags ?? [],
      extra: { score: result.score, threshold: result.threshold },
    }),
  };
}
