import { describe, expect, test } from '@jest/globals';
import type { CompiledScorer, Outcome, ScorerError } from '../../../../shared/scoring/definition.ts';
import { scoreJobs } from '../../../../shared/scoring/execution/batch.ts';
import { processorMs } from '../../../../shared/scoring/execution/guard.ts';
import { Expected } from '../../../../shared/scoring/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/reading/subject.ts';
import { SCHEMA_TIMEOUT } from '../../../../shared/scoring/schema/errors.ts';
import type { Job } from '../../../../shared/scoring/types.ts';
import { caseOf, now, scoreAll } from '../cases.ts';

const DONE: Outcome = { score: 1, reason: 'done', output: {}, errored: false };
const guard = { timeout: SCHEMA_TIMEOUT, limitMs: 250 } as const;

function jobOf(score: () => void, its: Partial<CompiledScorer> = {}, subject = new Subject('{}')): Job {
  const scored = () => {
    score();
    return DONE;
  };
  const compiled = { guard, usesExpected: false, score: scored, reset() {}, ...its };
  return { compiled, expected: new Expected(null), fixed: null, subject };
}

/** So much of the processor's time, on any machine. */
function work(takesMs: number): void {
  for (const startMs = processorMs(); processorMs() - startMs < takesMs; );
}

/** Like a schema: compiled for its first score, and again after it was interrupted. */
function compiling(takesMs: number, compileMs: number): Job {
  let compiled = false;
  const score = () => {
    if (!compiled) work(takesMs);
    compiled = true;
  };
  const reset = () => {
    compiled = false;
  };
  return jobOf(score, { guard: { ...guard, compileMs }, reset });
}

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const codesOf = (jobs: readonly Job[]) =>
  scoreJobs(jobs, now).outcomes.map((outcome) => outcome?.output.error ?? 'scored');

describe('scorers that compile longer than a run waits for any one', () => {
  test('are all scored by the first run as by the second, as long as they fit into the time of a run', () => {
    const jobs = many(60, () => compiling(30, 40));
    const wanted = many(60, () => 'scored');
    expect(codesOf(jobs)).toEqual(wanted);
    expect(codesOf(jobs)).toEqual(wanted);
  });

  test('are scored, too, where their size does not tell how long they take', () => {
    expect(codesOf(many(8, () => compiling(80, 0)))).toEqual(many(8, () => 'scored'));
  });

  test('are never blamed for a time that is less than their limit', () => {
    const codes = codesOf(many(100, () => compiling(150, 40)));
    expect(codes).toContain('RUN_TIMEOUT');
    expect(codes.filter((code) => code !== 'scored' && code !== 'RUN_TIMEOUT')).toEqual([]);
  });

  test('are blamed where they had their limit', () => {
    const codes = codesOf([...many(3, () => compiling(100_000, 40)), compiling(30, 40)]);
    expect(codes).toEqual(['SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'scored']);
  });

  test('a hundred schemas of 200 properties are scored, or too many, but none is at fault', () => {
    const schema = (of: number) => ({
      type: 'object',
      properties: Object.fromEntries(
        many(200, (at) => [`p${of}_${at}`, { type: 'string', maxLength: at + 1 }]),
      ),
    });
    const cases = many(100, (at) => caseOf('json_schema', { schema: schema(at) }));
    const { results } = scoreAll(cases, '{"a":1}');
    const codes = new Set(results.map(({ scorer_output }) => scorer_output.error));
    expect([...codes].filter((code) => code !== undefined && code !== 'RUN_TIMEOUT')).toEqual([]);
  });
});

test('scorers that share what one of them finds in a long output are all scored behind one that never ends', () => {
  const subject = new Subject('a'.repeat(1_000_000));
  let found = false;
  const find = () => {
    if (!found) work(150);
    found = true;
  };
  const sharing = () => jobOf(find, { guard: { ...guard, sharedPerMegabyteMs: 200 } }, subject);
  const wanted = many(400, () => 'scored');
  expect(codesOf([compiling(100_000, 0), ...many(400, sharing)])).toEqual(['SCHEMA_TIMEOUT', ...wanted]);
});

test('a quick scorer waits for one turn of another type, however many of that type never end', () => {
  const tried: string[] = [];
  const scorer = (name: string, timeout: ScorerError, takesMs: number): Job => {
    const score = () => {
      tried.push(name);
      work(takesMs);
    };
    return jobOf(score, { guard: { ...guard, timeout } });
  };
  const endless = many(400, (at) => scorer(`endless ${at}`, SCHEMA_TIMEOUT, 100_000));
  expect(codesOf([...endless, scorer('quick', { ...SCHEMA_TIMEOUT, code: 'OTHER_TIMEOUT' }, 0)]).at(-1)).toBe(
    'scored',
  );
  // It is tried first by the warm-up.
  const between = new Set(tried.slice(tried.indexOf('quick'), tried.lastIndexOf('quick')));
  expect(between.size).toBeLessThanOrEqual(2);
});

test('a quick scorer that lost its first turn to something else is scored behind hundreds that never end', () => {
  let tries = 0;
  const unlucky = jobOf(() => work(tries++ === 0 ? 100_000 : 0));
  const endless = many(900, () => jobOf(() => work(100_000)));
  expect(codesOf([...endless, unlucky, jobOf(() => work(0))]).slice(-2)).toEqual(['scored', 'scored']);
});

test('scorers behind hundreds that never end are tried', () => {
  const hostile = many(900, (at) => caseOf('regex', { pattern: `(a+)+${at}$` }));
  const honest = many(50, (at) => caseOf('regex', { pattern: `a|${at}` }));
  const { results } = scoreAll([...hostile, ...honest], `${'a'.repeat(40)}!`);
  expect(results.slice(0, 900).every(({ errored }) => errored)).toBe(true);
  expect(results.slice(900).filter(({ errored }) => errored)).toEqual([]);
});
