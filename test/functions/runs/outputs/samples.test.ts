import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { type Item, makeTrust, resultsByKey, right, type Trust } from './trust.ts';

const OTHERS = right('b', 'c', 'd');
/** `!` is an error in place of an output. */
const samples = (texts: readonly string[]): Item[] =>
  texts.map((text) => ({ case: 'a', ...(text === '!' ? { error: '429' } : { output: text }) }));

async function resultOf(trust: Trust, ...texts: string[]) {
  const verdict = await trust.run([...OTHERS, ...samples(texts)]);
  return { verdict, a: (await resultsByKey(trust, verdict.id)).a };
}

/** Of each answer a case takes: whether it passed. */
const passed = (a: { samples: { passed: boolean }[] }) => a.samples.map((sample) => sample.passed);

describe('a case of two outputs that all have to pass', () => {
  let trust: Trust;
  beforeAll(async () => {
    trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('a', { sample_count: 2 });
  });

  test('fails with the score of the one that fails, and shows both', async () => {
    const { verdict, a } = await resultOf(trust, 'a', 'x');
    expect(verdict).toMatchObject({ status: 'cleared', pass_rate: 0.75, failed_cases: 1, missing_cases: 0 });
    expect(a).toMatchObject({ passed: false, errored: false, missing: false, score: 0 });
    expect(passed(a)).toEqual([true, false]);
    const [first, second] = a.samples;
    expect(first).toEqual({
      passed: true,
      score: 1,
      reason: expect.any(String),
      scorer_output: expect.any(Object),
      output_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
      metadata: null,
    });
    expect(new Set([first.output_digest, second.output_digest, a.output_digest]).size).toBe(3);
    expect(a.reason).toBe(second.reason);
  });

  test('passes with both, in whatever words of case they are addressed', async () => {
    const { id } = trust.cases.a;
    const verdict = await trust.run([
      { case: id, output: 'a', metadata: { n: 1 } },
      ...OTHERS,
      { case: 'a', output: 'a' },
    ]);
    expect(verdict).toMatchObject({ status: 'cleared', pass_rate: 1 });
    const { a } = await resultsByKey(trust, verdict.id);
    expect(a.samples.map(({ metadata }: { metadata: unknown }) => metadata)).toEqual([{ n: 1 }, null]);
  });

  test('fails with one of them, and is missing only with none', async () => {
    const { verdict, a } = await resultOf(trust, 'a');
    expect(a).toMatchObject({ passed: false, missing: false, errored: false, score: 0 });
    expect(passed(a)).toEqual([true]);
    expect(verdict).toMatchObject({ failed_cases: 1, missing_cases: 0 });
    const none = await resultOf(trust);
    expect(none.a).toMatchObject({ passed: false, missing: true, score: 0 });
    expect(none.verdict).toMatchObject({ failed_cases: 1, missing_cases: 1 });
  });

  test('shows no samples of other cases', async () => {
    const { verdict } = await resultOf(trust, 'a', 'a');
    const { b } = await resultsByKey(trust, verdict.id);
    expect(b).not.toHaveProperty('samples');
  });
});

describe('a case of three outputs, of which 60 % have to pass,', () => {
  let trust: Trust;
  beforeAll(async () => {
    trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('a', { sample_count: 3, sample_pass_rate: 0.6 });
  });

  test.each([
    ['passes', ['a', 'x', 'a'], { passed: true, errored: false, score: 1 }],
    ['passes', ['a', 'a', '!'], { passed: true, errored: false, score: 1 }],
    ['fails', ['x', 'a', 'x'], { passed: false, errored: false, score: 0 }],
    ['fails whatever the error hides', ['x', '!', 'x'], { passed: false, errored: false, score: 0 }],
    ['is undecided', ['a', '!', 'x'], { passed: false, errored: true, score: 0 }],
  ])('%s: %j', async (_, texts, expected) => {
    const { verdict, a } = await resultOf(trust, ...texts);
    expect(a).toMatchObject({ ...expected, missing: false });
    expect(a.samples).toHaveLength(texts.length);
    expect(verdict).toMatchObject({
      passed_cases: 3 + Number(expected.passed),
      errored_cases: Number(expected.errored),
    });
    if (expected.errored) expect(a.scorer_output.error).toBe('SAMPLES_UNDECIDED');
  });

  test('refuses a single output of a run, whether its client waits or not', async () => {
    const before = await trust.counted();
    for (const fields of [{}, { async: true }]) {
      const answer = await trust.send(undefined, { output: 'a', ...fields });
      expectInvalid(answer, 'output');
    }
    expect(await trust.counted()).toEqual(before);
    await trust.patchCase('a', { is_active: false });
    expect((await trust.send(undefined, { output: 'b' })).status).toBe(200);
    await trust.patchCase('a', { is_active: true });
  });
});

test('a case of which any output may pass takes its best one', async () => {
  const trust = await makeTrust(sharedServiceUrl());
  await trust.patchCase('a', { sample_count: 100, sample_pass_rate: 0 });
  const { a } = await resultOf(trust, ...Array(99).fill('x'), 'a');
  expect(a).toMatchObject({ passed: true, score: 1 });
  expect(a.samples).toHaveLength(100);
  expect((await resultOf(trust, 'x')).a).toMatchObject({ passed: false });
});
