import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { type Gate, makeGate, resultsOf } from './gate.ts';

let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0 });
  await gate.add({ type: 'exact_match', config: { case_sensitive: false } }, { expected: '{"n": 1}' });
  await gate.add({ type: 'exact_match', config: {} }, { expected: { n: 1 } });
  await gate.add({ type: 'contains', config: { values: ['n', 'm'], mode: 'any' } });
  await gate.add({ type: 'regex', config: { pattern: '"(\\w)": (\\d)', flags: 'i', should_match: true } });
  await gate.add({ type: 'regex', config: { pattern: 'secret', flags: '', should_match: false } });
  await gate.add({
    type: 'json_schema',
    config: { schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
  });
});

const outputsOf = async (output: string) => {
  const { id } = await gate.run(output);
  return (await resultsOf(gate.client, id)).map(({ passed, score, scorer_output }) => ({
    passed,
    score,
    scorer_output,
  }));
};

test('every deterministic scorer shows the fields that the specification names: passing', async () => {
  expect(await outputsOf('{"N": 1}'.toLowerCase())).toStrictEqual([
    {
      passed: true,
      score: 1,
      scorer_output: { expected: '{"n": 1}', actual: '{"n": 1}', case_sensitive: false },
    },
    { passed: true, score: 1, scorer_output: { expected: { n: 1 }, actual: { n: 1 }, case_sensitive: true } },
    {
      passed: true,
      score: 1,
      scorer_output: {
        mode: 'any',
        matches: [
          { value: 'n', found: true },
          { value: 'm', found: false },
        ],
        found_count: 1,
        total: 2,
      },
    },
    {
      passed: true,
      score: 1,
      scorer_output: {
        pattern: '"(\\w)": (\\d)',
        flags: 'i',
        should_match: true,
        matched: true,
        match_groups: expect.arrayContaining(['n', '1']),
      },
    },
    {
      passed: true,
      score: 1,
      scorer_output: { pattern: 'secret', flags: '', should_match: false, matched: false, match_groups: [] },
    },
    { passed: true, score: 1, scorer_output: { valid: true, parsed_output: { n: 1 } } },
  ]);
});

test('every deterministic scorer shows the fields that the specification names: failing', async () => {
  expect(await outputsOf('a secret')).toStrictEqual([
    {
      passed: false,
      score: 0,
      scorer_output: { expected: '{"n": 1}', actual: 'a secret', case_sensitive: false },
    },
    {
      passed: false,
      score: 0,
      scorer_output: { expected: { n: 1 }, actual: 'a secret', case_sensitive: true },
    },
    {
      passed: false,
      score: 0,
      scorer_output: {
        mode: 'any',
        matches: [
          { value: 'n', found: false },
          { value: 'm', found: false },
        ],
        found_count: 0,
        total: 2,
      },
    },
    {
      passed: false,
      score: 0,
      scorer_output: {
        pattern: '"(\\w)": (\\d)',
        flags: 'i',
        should_match: true,
        matched: false,
        match_groups: [],
      },
    },
    {
      passed: false,
      score: 0,
      scorer_output: {
        pattern: 'secret',
        flags: '',
        should_match: false,
        matched: true,
        match_groups: expect.any(Array),
      },
    },
    { passed: false, score: 0, scorer_output: { valid: false, errors: [expect.any(Object)] } },
  ]);
});

test('a JSON output that breaks the schema lists what is wrong with it', async () => {
  const outputs = await outputsOf('{"n": "one"}');
  expect(outputs.at(-1)?.scorer_output).toMatchObject({
    valid: false,
    errors: [expect.objectContaining({ message: expect.any(String) })],
  });
});

test('a dual-sided scorer adds precision, recall and what they count, and scores F1', async () => {
  const sided = await makeGate(sharedServiceUrl());
  await sided.add(
    {
      type: 'contains',
      config: { values: ['apple', 'pear'], mode: 'all' },
      dual_sided: true,
      precision_threshold: 0.5,
      recall_threshold: 0.5,
    },
    { threshold: 0.5 },
  );
  const [result] = await resultsOf(sided.client, (await sided.run('apple\nplum')).id);
  expect(result).toMatchObject({
    passed: true,
    score: 0.5,
    scorer_output: {
      found_count: 1,
      total: 2,
      precision: 0.5,
      recall: 0.5,
      true_positives: 1,
      false_positives: 1,
      false_negatives: 1,
    },
  });
});

test('a dual-sided case needs both set thresholds besides its own', async () => {
  const strict = await makeGate(sharedServiceUrl());
  await strict.add(
    {
      type: 'contains',
      config: { values: ['apple', 'pear'], mode: 'all' },
      dual_sided: true,
      precision_threshold: 0.9,
      recall_threshold: 0.5,
    },
    { threshold: 0.5 },
  );
  const imprecise = await strict.run('apple\npear\nplum');
  expect(imprecise).toMatchObject({ status: 'aborted', failed_cases: 1, errored_cases: 0 });
  expect(imprecise.scores[0]?.score).toBeGreaterThanOrEqual(0.5);
  expect((await strict.run('apple\npear')).status).toBe('cleared');
});
