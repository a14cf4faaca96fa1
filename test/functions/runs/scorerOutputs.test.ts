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

/** What else each of them shows is tested in test/shared/scoring. */
test('every deterministic scorer shows the fields that the specification names', async () => {
  const { id } = await gate.run('{"n": 1}');
  const outputs = (await resultsOf(gate.client, id)).map(({ scorer_output }) => scorer_output);
  expect(outputs).toStrictEqual([
    { expected: '{"n": 1}', actual: '{"n": 1}', case_sensitive: false },
    { expected: { n: 1 }, actual: { n: 1 }, case_sensitive: true },
    {
      mode: 'any',
      found_count: 1,
      total: 2,
      matches: [
        { value: 'n', found: true },
        { value: 'm', found: false },
      ],
    },
    {
      pattern: '"(\\w)": (\\d)',
      flags: 'i',
      should_match: true,
      matched: true,
      match_groups: expect.arrayContaining(['n', '1']),
    },
    { pattern: 'secret', flags: '', should_match: false, matched: false, match_groups: [] },
    { valid: true, parsed_output: { n: 1 } },
  ]);
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
