import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScoredCase } from '../../../../../shared/domain/runs/ports.ts';
import {
  EXCERPTS_BYTES_MAX,
  type Excerptible,
  withExcerpts,
} from '../../../../../shared/domain/runs/results/excerpts.ts';
import { resultOf } from '../../../storage/results.ts';
import '../../../../support/seed.ts';

const EXCERPT_CHARACTERS = 2_000;

interface Excerpted extends Excerptible {
  readonly expected: unknown;
  readonly input: Record<string, unknown>;
}

/** A case that failed, with an output of its own, unless the test says otherwise. */
const excerptible = (
  index: number,
  result: Partial<ScoredCase> = {},
  source: Partial<Omit<Excerpted, 'result'>> = {},
): Excerpted => ({
  result: { ...resultOf(index, 'x'), passed: false, ...result },
  expected: null,
  input: {},
  sample: { output: `output ${index}`, input: {} },
  ...source,
});

type Keep = Parameters<typeof withExcerpts>[1]['keep'];
type Read = Parameters<typeof withExcerpts>[1]['readTexts'];

const reading =
  (cases: readonly Excerpted[]): Read =>
  async (ids) =>
    new Map(
      cases.filter(({ result }) => ids.includes(result.case_id)).map((one) => [one.result.case_id, one]),
    );

const excerpted = async (
  cases: readonly Excerpted[],
  { keep = 'all' as Keep, bytesMax = EXCERPTS_BYTES_MAX, readTexts = reading(cases) } = {},
) => (await withExcerpts(cases, { keep, bytesMax, readTexts })).map(({ result }) => result);

const textsOf = ({ input_excerpt, expected_excerpt, output_excerpt }: ScoredCase): string[] =>
  [input_excerpt, expected_excerpt, output_excerpt].filter((text) => typeof text === 'string');

const OF_EXCERPTS = ['input_excerpt', 'expected_excerpt', 'output_excerpt', 'cut', 'excerpts_cut'];
const withoutExcerpts = (result: ScoredCase) =>
  Object.fromEntries(Object.entries(result).filter(([name]) => !OF_EXCERPTS.includes(name)));

// Of one, two, three and four bytes a character; short ones, and some that are longer than an excerpt.
const anyText = fc
  .tuple(
    fc.constantFrom('a', 'é', '退', '😀', 'a😀'),
    fc.constantFrom(0, 1, 3, 999, 1_000, 1_001, 1_999, 2_000, 2_001),
  )
  .map(([unit, times]) => unit.repeat(times));
const anyCase = fc.record({
  result: fc.record({
    passed: fc.boolean(),
    must_pass: fc.boolean(),
    weight: fc.option(fc.nat(9)),
    advisory: fc.boolean(),
  }),
  expected: fc.oneof(anyText, fc.constant(null), fc.jsonValue()),
  input: fc.oneof(
    anyText.map((text) => ({ text })),
    fc.constant({}),
  ),
  sample: fc.option(
    fc.oneof(
      fc.record({ output: anyText, input: fc.constantFrom({}, { lang: 'en' }) }),
      fc.constant({ error: 'timed out', input: {} }),
    ),
    { nil: undefined },
  ),
});
const anyCases = fc
  .array(anyCase, { maxLength: 12 })
  .map((drawn) => drawn.map(({ result, ...source }, index) => excerptible(index, result, source)));
const anyKeep = fc.constantFrom<Keep>('failed', 'all', 'none');
const anyRoom = fc.constantFrom(0, 1, 50, 4_000, 20_000, EXCERPTS_BYTES_MAX);

test('whatever is kept, all results come back in their order and unchanged', async () => {
  const law = fc.asyncProperty(anyCases, anyKeep, anyRoom, async (cases, keep, bytesMax) => {
    const results = await excerpted(cases, { keep, bytesMax });
    expect(results.map(withoutExcerpts)).toEqual(cases.map(({ result }) => result));
  });
  await fc.assert(law);
});

test('a kept result shows its excerpts or states that they were cut; a result that is not kept shows none', async () => {
  const law = fc.asyncProperty(anyCases, anyKeep, anyRoom, async (cases, keep, bytesMax) => {
    const whole = await excerpted(cases, { keep });
    const results = await excerpted(cases, { keep, bytesMax });
    for (const [index, result] of results.entries()) {
      const isKept = keep === 'all' || (keep === 'failed' && !result.passed);
      if (!isKept) expect(result).toEqual(cases[index]?.result);
      else if (result.excerpts_cut) expect(textsOf(result)).toEqual([]);
      else expect(result).toEqual(whole[index]);
    }
    expect(whole.some((result) => result.excerpts_cut)).toBe(false);
  });
  await fc.assert(law);
});

test('an excerpt is the beginning of its text, of at most 2,000 characters, never half of one; `cut` where one is shorter', async () => {
  const law = fc.asyncProperty(anyCases, async (cases) => {
    const results = await excerpted(cases);
    for (const [index, { output_excerpt, expected_excerpt, input_excerpt, cut }] of results.entries()) {
      const { sample, expected, input: object } = cases[index] as Excerpted;
      const input = Object.keys(object).length === 0 ? undefined : JSON.stringify(object);
      const pairs: [unknown, string | null | undefined][] = [[sample?.output, output_excerpt]];
      if (typeof expected === 'string') pairs.push([expected, expected_excerpt]);
      if (input !== undefined) pairs.push([input, input_excerpt]);
      for (const [text, excerpt] of pairs) {
        if (typeof text !== 'string') expect(excerpt).toBeUndefined();
        else
          expect([
            text.startsWith(excerpt ?? '?'),
            text.length > EXCERPT_CHARACTERS || text === excerpt,
          ]).toEqual([true, true]);
        expect([(excerpt ?? '').length <= EXCERPT_CHARACTERS, excerpt?.isWellFormed() ?? true]).toEqual([
          true,
          true,
        ]);
      }
      const isLong = (text: unknown) => typeof text === 'string' && text.length > EXCERPT_CHARACTERS;
      if (pairs.some(([text]) => isLong(text))) expect(cut).toBe(true);
      if (cut) expect([...pairs.map(([text]) => text), JSON.stringify(expected)].some(isLong)).toBe(true);
    }
  });
  await fc.assert(law);
});

test('all different excerpts of a run together take no more bytes than there is room for', async () => {
  const law = fc.asyncProperty(anyCases, anyRoom, async (cases, bytesMax) => {
    const results = await excerpted(cases, { bytesMax });
    const bytes = [...new Set(results.flatMap(textsOf))].reduce(
      (sum, text) => sum + Buffer.byteLength(text),
      0,
    );
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  });
  await fc.assert(law);
});

test('a run keeps at most 2 MB, in any script', async () => {
  const cases = Array.from({ length: 1_000 }, (_, index) =>
    excerptible(index, {}, { sample: { output: `${index} ${'退'.repeat(2_000)}`, input: {} } }),
  );
  const results = await excerpted(cases);
  const bytes = results.flatMap(textsOf).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  expect(bytes).toBeLessThanOrEqual(2_000_000);
  expect(bytes).toBeGreaterThan(1_990_000);
  expect(results.filter((result) => result.excerpts_cut)).toHaveLength(
    1_000 - results.filter(({ cut }) => cut).length,
  );
});

describe('where there is room for one', () => {
  const ofOne = { bytesMax: 'output 0'.length };
  const keptOf = async (...results: Partial<ScoredCase>[]) => {
    const cases = results.map((result, index) => excerptible(index, result));
    return (await excerpted(cases, ofOne)).map((result) => result.output_excerpt ?? 'cut');
  };

  test('it is a must-pass case, however heavy others are', async () => {
    expect(await keptOf({ weight: 1_000_000 }, { must_pass: true, weight: 0 })).toEqual(['cut', 'output 1']);
  });
  test('it is the heaviest, of must-pass cases, too', async () => {
    expect(await keptOf({ weight: 1 }, { weight: 3 }, { weight: 2 })).toEqual(['cut', 'output 1', 'cut']);
    const mustPass = { must_pass: true };
    expect(await keptOf({ ...mustPass, weight: 1 }, { ...mustPass, weight: 2 })).toEqual(['cut', 'output 1']);
  });
  test('it is the first of equals', async () => {
    expect(await keptOf({}, {}, {})).toEqual(['output 0', 'cut', 'cut']);
  });
});

test('a text that many results show counts once, also within a result', async () => {
  const text = 'x'.repeat(2_000);
  const source = { expected: text, sample: { output: text, input: {} } };
  const cases = Array.from({ length: 100 }, (_, index) => excerptible(index, {}, source));
  const results = await excerpted(cases, { bytesMax: 2_000 });
  expect(
    results.filter((result) => result.output_excerpt === text && result.expected_excerpt === text),
  ).toHaveLength(100);
});

describe('the excerpt of the input', () => {
  const shown = async (source: Partial<Excerpted>) =>
    (await excerpted([excerptible(0, {}, source)]))[0]?.input_excerpt;
  const sample = { output: 'x', input: { lang: 'en' } };

  test('is the input of the case', async () => {
    expect(await shown({ input: { q: 1 }, sample })).toBe('{"q":1}');
  });
  test('is what was sent beside the output, where the case has none', async () => {
    expect(await shown({ input: {}, sample })).toBe('{"lang":"en"}');
  });
  test('is missing where neither holds one', async () => {
    expect(await shown({ input: {} })).toBeUndefined();
    expect(await shown({ input: {}, sample: undefined })).toBeUndefined();
  });
  test('is read only for results to be kept, and no verdict is lost where it is gone', async () => {
    const asked: string[] = [];
    const readTexts: Read = async (ids) => {
      asked.push(...ids);
      throw new Error('gone');
    };
    const cases = [excerptible(0, { passed: true }), excerptible(1)];
    const results = await excerpted(cases, { keep: 'failed', readTexts });
    expect(asked).toEqual([cases[1]?.result.case_id]);
    expect(results.map((result) => result.output_excerpt)).toEqual([undefined, 'output 1']);
    await excerpted(cases, { keep: 'failed', readTexts, bytesMax: 0 });
    expect(asked).toHaveLength(1);
  });
});

test('an error in place of an output, and a missing one, have no output to show', async () => {
  const cases = [
    excerptible(0, {}, { sample: { error: 'timed out', input: {} }, expected: 'x' }),
    excerptible(1, {}, { sample: undefined, expected: { n: 1 } }),
  ];
  const shown = (await excerpted(cases)).map(({ output_excerpt, expected_excerpt }) => [
    output_excerpt,
    expected_excerpt,
  ]);
  expect(shown).toEqual([
    [undefined, 'x'],
    [undefined, '{"n":1}'],
  ]);
});

test('no further texts are read once there is no room for their excerpts', async () => {
  const asked: number[] = [];
  const readTexts: Read = async (ids) => {
    asked.push(ids.length);
    return new Map(ids.map((id) => [id, { input: { id, text: 'x'.repeat(1_000) }, expected: null }]));
  };
  const cases = Array.from({ length: 200 }, (_, index) => excerptible(index));
  const results = await excerpted(cases, { readTexts, bytesMax: 25_000 });
  expect(asked).toEqual([20, 20, 20]);
  expect(results.filter(({ input_excerpt }) => input_excerpt !== undefined)).not.toHaveLength(0);
});
