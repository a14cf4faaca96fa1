import { describe, expect, test } from '@jest/globals';
import type { CompiledScorer, Outcome } from '../../../../shared/scoring/engine/definition.ts';
import { scoreJobs } from '../../../../shared/scoring/execution/batch.ts';
import { processorMs } from '../../../../shared/scoring/execution/guard.ts';
import { Expected } from '../../../../shared/scoring/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/reading/subject.ts';
import { SCHEMA_TIMEOUT } from '../../../../shared/scoring/schema/errors.ts';
import type { Job } from '../../../../shared/scoring/types.ts';
import { now } from '../cases.ts';

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
    const jobs = many(20, () => compiling(30, 40));
    const wanted = many(20, () => 'scored');
    expect(codesOf(jobs)).toEqual(wanted);
    expect(codesOf(jobs)).toEqual(wanted);
  });

  test('are scored, too, where their size does not tell how long they take', () => {
    expect(codesOf(many(8, () => compiling(80, 0)))).toEqual(many(8, () => 'scored'));
  });

  test('are blamed where they had their limit', () => {
    const codes = codesOf([...many(3, () => compiling(100_000, 40)), compiling(30, 40)]);
    expect(codes).toEqual(['SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'scored']);
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

test('a quick scorer is scored behind forty of another type that never end', () => {
  const endless = many(40, () => jobOf(() => work(100_000)));
  const quick = jobOf(() => {}, {
    guard: { ...guard, timeout: { ...SCHEMA_TIMEOUT, code: 'OTHER_TIMEOUT' } },
  });
  expect(codesOf([...endless, quick]).at(-1)).toBe('scored');
});

test('a quick scorer that was interrupted once, since the machine worked on something else, is scored', () => {
  let tries = 0;
  const unlucky = jobOf(() => work(tries++ === 0 ? 100_000 : 0));
  expect(codesOf([...many(9, () => jobOf(() => work(100_000))), unlucky]).at(-1)).toBe('scored');
});
