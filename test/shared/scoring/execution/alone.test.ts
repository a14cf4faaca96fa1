import { describe, expect, test } from '@jest/globals';
import { scoreJobs } from '../../../../shared/scoring/execution/batch.ts';
import { RUN_TIME_MS_MAX } from '../../../../shared/scoring/execution/budget.ts';
import type { CompiledScorer, Outcome } from '../../../../shared/scoring/kit/definition.ts';
import { Expected } from '../../../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/kit/reading/subject.ts';
import type { Job } from '../../../../shared/scoring/kit/types.ts';
import { SCHEMA_TIMEOUT } from '../../../../shared/scoring/schema/errors.ts';
import { VirtualProcessor } from './virtualProcessor.ts';

const DONE: Outcome = { score: 1, reason: 'done', output: {}, errored: false };
const guard = { timeout: SCHEMA_TIMEOUT, limitMs: 250 } as const;
const NEVER_MS = 1_000_000;

function jobOf(score: () => void, its: Partial<CompiledScorer> = {}, subject = new Subject('{}')): Job {
  const scored = () => {
    score();
    return DONE;
  };
  const compiled = { guard, usesExpected: false, score: scored, reset() {}, ...its };
  return { compiled, expected: new Expected(null), fixed: null, subject };
}

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** Jobs on a processor of their own, and what becomes of them in how long. */
function onProcessor() {
  const processor = new VirtualProcessor();
  const { work } = processor;
  return {
    processor,
    work,
    endless: () => jobOf(() => work(NEVER_MS)),
    /** Like a schema: compiled for its first score, and again after it was interrupted. */
    compiling(takesMs: number, compileMs: number): Job {
      let compiled = false;
      const score = () => {
        if (!compiled) work(takesMs);
        compiled = true;
      };
      const reset = () => {
        compiled = false;
      };
      return jobOf(score, { guard: { ...guard, compileMs }, reset });
    },
    codesOf(jobs: readonly Job[]) {
      const startMs = processor.ms();
      const { outcomes } = scoreJobs(jobs, processor.now, processor);
      expect(processor.ms() - startMs).toBeLessThanOrEqual(RUN_TIME_MS_MAX);
      return outcomes.map((outcome) => outcome?.output.error ?? 'scored');
    },
  };
}

const scored = (count: number) => Array<string>(count).fill('scored');

describe('scorers that compile longer than a run waits for any one', () => {
  test('are all scored by the first run as by the second, as long as they fit into the time of a run', () => {
    const { compiling, codesOf } = onProcessor();
    const jobs = many(20, () => compiling(30, 40));
    for (let run = 0; run < 2; run++) expect(codesOf(jobs)).toEqual(scored(20));
  });

  test('are scored, too, where their size does not tell how long they take', () => {
    const { compiling, codesOf } = onProcessor();
    expect(codesOf(many(8, () => compiling(80, 0)))).toEqual(scored(8));
  });

  test('are blamed where they had their limit', () => {
    const { compiling, codesOf } = onProcessor();
    const codes = codesOf([...many(3, () => compiling(NEVER_MS, 40)), compiling(30, 40)]);
    expect(codes).toEqual(['SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'SCHEMA_TIMEOUT', 'scored']);
  });
});

test('scorers that share what one of them finds in a long output are all scored behind one that never ends', () => {
  const { work, compiling, codesOf } = onProcessor();
  const subject = new Subject('a'.repeat(1_000_000));
  let found = false;
  const find = () => {
    if (!found) work(150);
    found = true;
  };
  const sharing = () => jobOf(find, { guard: { ...guard, sharedPerMegabyteMs: 200 } }, subject);
  const codes = codesOf([compiling(NEVER_MS, 0), ...many(400, sharing)]);
  expect(codes).toEqual(['SCHEMA_TIMEOUT', ...scored(400)]);
});

test.each([40, 900])('fifty quick scorers of another type are scored behind %d that never end', (count) => {
  const { work, endless, codesOf } = onProcessor();
  const timeout = { ...SCHEMA_TIMEOUT, code: 'OTHER_TIMEOUT' };
  const quick = () => jobOf(() => work(0.1), { guard: { ...guard, timeout } });
  const codes = codesOf([...many(count, endless), ...many(50, quick)]);
  expect(codes.slice(count)).toEqual(scored(50));
  expect(codes.slice(0, count)).not.toContain('scored');
});

test('of two thousand scorers that never end none is blamed, since each got too little time', () => {
  const { endless, codesOf } = onProcessor();
  expect(codesOf(many(2_000, endless))).toEqual(Array(2_000).fill('RUN_TIMEOUT'));
});

test('a thousand honest scorers on a slow processor are scored, or too many, and none is blamed', () => {
  const { work, codesOf } = onProcessor();
  const subject = new Subject('a'.repeat(1_000_000));
  const codes = codesOf(many(1_000, () => jobOf(() => work(8), {}, subject)));
  expect(new Set(codes)).toEqual(new Set(['scored', 'RUN_TIMEOUT']));
  expect(codes.filter((code) => code === 'scored').length).toBeGreaterThan(20);
});

test('calls that share a time end together, however many there are', () => {
  const { endless, processor } = onProcessor();
  const sharedTime = { startMs: processor.ms(), mostMs: 2_000 };
  for (let call = 0; call < 4; call++) scoreJobs(many(100, endless), processor.now, processor, sharedTime);
  expect(processor.ms() - sharedTime.startMs).toBeLessThanOrEqual(sharedTime.mostMs);
});
