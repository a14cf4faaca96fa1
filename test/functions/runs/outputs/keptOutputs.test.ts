import { describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { ALL, type Item, KEYS, makeTrust, resultsByKey, right, type Trust } from './trust.ts';

const EXCERPTS = ['input_excerpt', 'expected_excerpt', 'output_excerpt', 'cut', 'excerpts_cut'];

/** The excerpts of a run's results, by key; nothing for a result without any. */
async function excerptsOf(
  trust: Trust,
  items: readonly Item[],
  fields: Readonly<Record<string, unknown>> = {},
) {
  const { id } = await trust.run(items, fields);
  const results = await resultsByKey(trust, id);
  const kept = (result: object) =>
    Object.fromEntries(Object.entries(result).filter(([name]) => EXCERPTS.includes(name)));
  return Object.fromEntries(KEYS.map((key) => [key, kept(results[key])]));
}

const NONE = {};
/** An excerpt of nothing is not there. */
const texts = (...all: readonly (string | null)[]) =>
  Object.fromEntries(EXCERPTS.flatMap((name, index) => (all[index] == null ? [] : [[name, all[index]]])));

describe('a suite keeps inputs, expected texts and outputs', () => {
  test('of failed, errored and missing results, as it is made', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('b', { input: { asked: 'b?' } });
    const items = [...right('a'), { case: 'b', output: 'x' }, { case: 'c', error: '429' }];
    expect(await excerptsOf(trust, items)).toEqual({
      a: NONE,
      b: texts('{"asked":"b?"}', 'b', 'x'),
      c: texts(null, 'c', null),
      d: texts(null, 'd', null),
    });
  });

  test('of all results with keep_outputs all, and of none with none, in cleared runs, too', async () => {
    const trust = await makeTrust(sharedServiceUrl(), { keep_outputs: 'all' });
    expect((await excerptsOf(trust, ALL)).a).toEqual(texts(null, 'a', 'a'));
    await trust.patchSuite({ keep_outputs: 'none' });
    const { a, d } = await excerptsOf(trust, right('a', 'b'));
    expect([a, d]).toEqual([NONE, NONE]);
    await trust.patchSuite({ keep_outputs: 'failed', pass_threshold: 0 });
    expect((await excerptsOf(trust, [{ case: 'd', output: 'x' }])).d).toEqual(texts(null, 'd', 'x'));
  });

  test('of advisory cases that failed, as of others', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    await trust.patchCase('d', { advisory: { owner: 'Ann', reason: 'Being rewritten', expires_at } });
    expect((await excerptsOf(trust, [...right('a'), { case: 'd', output: 'x' }])).d).toEqual(
      texts(null, 'd', 'x'),
    );
  });
});

describe('an excerpt', () => {
  test('is of what was judged, not of what the case states later', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('d', { input: { asked: 'then' } });
    const { id } = await trust.run([{ case: 'd', output: 'x' }]);
    await trust.patchCase('d', { input: { asked: 'now' }, expected: 'now', name: 'Now' });
    expect((await resultsByKey(trust, id)).d).toMatchObject({
      ...texts('{"asked":"then"}', 'd', 'x'),
      case_name: 'Case d',
    });
  });

  test('is of the input of the item, or else of the run, where the case has none', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('c', { input: { of: 'case' } });
    const wrong = (key: string, fields: object = {}) => ({ case: key, output: 'x', ...fields });
    const items = [wrong('a'), wrong('b', { input: { of: 'item' } }), wrong('c', { input: { of: 'item' } })];
    const kept = await excerptsOf(trust, items, { input: { of: 'run' } });
    expect([kept.a, kept.b, kept.c].map((texts_) => texts_?.input_excerpt)).toEqual([
      '{"of":"run"}',
      '{"of":"item"}',
      '{"of":"case"}',
    ]);
  });

  test('is of the sample that decides', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    await trust.patchCase('a', { sample_count: 3, sample_pass_rate: 0.6 });
    const samples = ['a', 'wrong', 'worse'].map((output) => ({ case: 'a', output }));
    expect((await excerptsOf(trust, samples)).a?.output_excerpt).toBe('wrong');
  });

  test('is the JSON of a value that is no text', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    for (const [expected, text] of [
      [{ a: [1, '😀'] }, '{"a":[1,"😀"]}'],
      [[], '[]'],
      [0, '0'],
      [false, 'false'],
      ['', ''],
    ] as const) {
      await trust.patchCase('a', { expected });
      expect((await excerptsOf(trust, [{ case: 'a', output: 'x' }])).a?.expected_excerpt).toBe(text);
    }
  });

  test('ends after 2,000 characters, never within one, and is marked as cut', async () => {
    const trust = await makeTrust(sharedServiceUrl());
    const output = (text: string) => excerptsOf(trust, [{ case: 'a', output: text }]);
    expect((await output('x'.repeat(2_000))).a).toEqual(texts(null, 'a', 'x'.repeat(2_000)));
    expect((await output('x'.repeat(2_001))).a).toEqual({
      ...texts(null, 'a', 'x'.repeat(2_000)),
      cut: true,
    });
    const half = await output(`${'x'.repeat(1_999)}😀`);
    expect(half.a).toEqual({ ...texts(null, 'a', 'x'.repeat(1_999)), cut: true });
    await trust.patchCase('a', { expected: 'é'.repeat(5_000), input: { long: 'i'.repeat(5_000) } });
    const { a } = await output('');
    expect(a).toEqual({ ...texts(`{"long":"${'i'.repeat(1_991)}`, 'é'.repeat(2_000), ''), cut: true });
  });
});

test('one output for all cases is kept with every result that failed', async () => {
  const trust = await makeTrust(sharedServiceUrl());
  const { body } = await trust.send(undefined, { output: 'a' });
  const { a, b } = await resultsByKey(trust, body.id);
  expect(a).not.toHaveProperty('output_excerpt');
  expect(b).toMatchObject(texts(null, 'b', 'a'));
});
