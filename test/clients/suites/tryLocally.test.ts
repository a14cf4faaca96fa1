import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { SuiteDefinition } from '../../../clients/suites/definition.ts';
import type { Submission } from '../../../clients/suites/trial/samples.ts';
import { type LocalVerdict, type Tried, tryLocally } from '../../../clients/suites/tryLocally.ts';
import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { makeFolder, NOW, readIn, writeFiles } from './repository.ts';

type Fields = Readonly<Record<string, unknown>>;

const SCORERS = {
  same: { type: 'exact_match', config: {} },
  loose: { type: 'exact_match', config: { case_sensitive: false } },
  sides: {
    type: 'exact_match',
    config: {},
    dual_sided: true,
    precision_threshold: 0.5,
    recall_threshold: 0.5,
  },
  has: { type: 'contains', config: { values: ['a', 'b'], mode: 'any' } },
  form: { type: 'regex', config: { pattern: '^[a-c]+$' } },
  json: { type: 'json_schema', config: { schema: { type: 'object', required: ['a'] } } },
  path: { type: 'json_path', config: { assertions: [{ path: '$.a', op: 'gte', value: 1 }], partial: true } },
  near: { type: 'similarity', config: { metric: 'levenshtein' } },
  quick: { type: 'metric', config: { field: 'latency_ms', max: 100 } },
};
const TAGS = ['t', 'u'];
const share = fc.constantFrom(0, 0.3, 0.3, 0.5, 0.5, 0.6, 2 / 3, 0.9, 1);
const others = fc.constantFrom('b', 'A', 'abc', 'a b', 'z', '', '{"a": 1}', '{"a": 0}', '{"b": 1}', '{');
const texts = fc.oneof({ weight: 2, arbitrary: fc.constant('a') }, { weight: 1, arbitrary: others });

/** Runs out long after the test, and before what the service takes. */
const soon = new Date(Date.now() + 5 * 24 * 60 * 60 * 1_000).toISOString();
const advisory = { owner: 'me', reason: 'not answered yet', expires_at: soon };

const evalCase = fc.record(
  {
    scorer: fc.constantFrom(...Object.keys(SCORERS)),
    input: fc.constant({ q: 1 }),
    expected: fc.option(texts, { nil: undefined }),
    threshold: share,
    weight: fc.constantFrom(0, 0.5, 1, 3),
    is_active: fc.constantFrom(true, true, true, false),
    tags: fc.subarray(TAGS),
    sample_count: fc.constantFrom(1, 1, 2, 3),
    sample_pass_rate: share,
    counts: fc.constantFrom({}, {}, { must_pass: true }, { advisory }),
  },
  { requiredKeys: ['scorer', 'input', 'counts'] },
);
const gates = fc.record(
  {
    min_judged_cases: fc.integer({ min: 1, max: 5 }),
    min_lower_bound: fc.constantFrom(0, 0.2, 0.5),
    tags: fc.subarray(TAGS).chain((tags) =>
      fc.tuple(
        ...tags.map((tag) =>
          fc.record({
            tag: fc.constant(tag),
            pass_threshold: share,
            min_judged_cases: fc.integer({ min: 1, max: 3 }),
          }),
        ),
      ),
    ),
  },
  { requiredKeys: [] },
);
const suite = fc
  .record({ pass_threshold: share, gates, cases: fc.array(evalCase, { minLength: 1, maxLength: 6 }) })
  .map(({ cases, ...head }) => ({
    ...{ version: 1, suite: 's', ...head, scorers: SCORERS },
    cases: cases.map(({ counts, ...one }, index) => ({ key: `k${index}`, ...one, ...counts })),
  }));

const metadata = fc.record({ latency_ms: fc.constantFrom(1, 100, 101) }, { requiredKeys: [] });
const outputOf = fc.oneof(
  { weight: 6, arbitrary: texts.map((output) => ({ output })) },
  { weight: 2, arbitrary: fc.record({ output: texts, metadata }) },
  { weight: 1, arbitrary: fc.constant({ error: '429' }) },
);
type Drawn = typeof suite extends fc.Arbitrary<infer T> ? T : never;

/** Mostly as many as each case takes; sometimes for cases that are not there, or one too many. */
const itemsFor = ({ cases }: Drawn): fc.Arbitrary<OutputItem[]> => {
  const all = cases.flatMap(({ key, sample_count = 1, is_active = true }) =>
    is_active ? Array<string>(sample_count).fill(key) : [],
  );
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constant(all) },
    { weight: 2, arbitrary: fc.subarray(all) },
    { weight: 1, arbitrary: fc.subarray([...all, 'k0', 'k5', 'gone', 'gone']) },
  );
  return names
    .map((some) => (some.length === 0 ? ['gone'] : some))
    .chain((some) => fc.tuple(...some.map((key) => outputOf.map((sent) => ({ case: key, ...sent })))))
    .chain((items) => fc.shuffledSubarray(items, { minLength: items.length }));
};
const trial = suite.chain((file) =>
  fc.tuple(
    fc.constant(file),
    fc.oneof(
      { weight: 1, arbitrary: texts.map((output): Submission => ({ output })) },
      { weight: 4, arbitrary: itemsFor(file).map((outputs): Submission => ({ outputs })) },
    ),
  ),
);

let client: Api;
let project: { slug: string };
const scorerIds = new Map<string, { id: string }>();
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  const { scorers } = await definitionOf({
    ...{ version: 1, suite: 's', scorers: SCORERS },
    cases: Object.keys(SCORERS).map((scorer) => ({ key: scorer, input: {}, scorer })),
  });
  for (const [key, scorer] of scorers) scorerIds.set(key, await makeScorer(client, project, scorer));
});
let suites = 0;

/** The definition on the service, which answers a run of it; and the keys of its cases by their ids. */
async function asService({ suite: fields, cases }: SuiteDefinition, sent: Submission) {
  const { id, slug } = await makeSuite(client, project, { ...fields, slug: `s${suites++}` });
  const keys = new Map<string, string>();
  for (const { scorer, ...one } of cases) {
    const made = await makeCase(client, { id }, scorerIds.get(scorer)!, one);
    keys.set(made.id, made.key);
  }
  const { status, body } = await client('POST', '/v1/run', {
    suite: slug,
    ...sent,
  });
  return { status, body, keys };
}

/** What the service answered, as it is told of a run that is not stored. */
function comparable({ body, keys }: Awaited<ReturnType<typeof asService>>): LocalVerdict {
  const { id, suite_digest, outputs_digest, duration_ms, notices, ...answer } = body;
  const flips = answer.verdict.flips;
  const keyOf = (one: string) => keys.get(one) ?? one;
  const named = (one: { case_id: string }) => ({ ...one, case_id: keyOf(one.case_id) });
  return {
    ...answer,
    verdict: { ...answer.verdict, flips: flips && { ...flips, case_ids: flips.case_ids.map(keyOf) } },
    scores: answer.scores.map(named),
    failures: answer.failures.map(named),
    not_judged: [],
  };
}

const folder = makeFolder();

async function definitionOf(file: Fields): Promise<SuiteDefinition> {
  writeFiles(folder, { 'evals/s.suite.yaml': stringify(file) });
  const { suites: read, told } = await readIn(folder);
  expect(told.filter((line) => line.includes(': error: '))).toEqual([]);
  return read[0]!;
}

test('the local verdict is that of the service, whatever the suite and the outputs are', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(trial, async ([file, sent]) => {
      const definition = await definitionOf(file);
      const local = await tryLocally(definition, sent, { nowMs: Date.now() });
      const answered = await asService(definition, sent);
      if (local.outcome === 'verdict') {
        expect(answered).toMatchObject({ status: 200 });
        expect(local.verdict).toEqual(comparable(answered));
        outcomes.add(local.verdict.inconclusive ? 'inconclusive' : local.verdict.status);
      } else {
        expect(local.outcome).toBe('refused');
        const refusal = local.outcome === 'refused' ? local.refusal : undefined;
        expect([answered.status, answered.body.error.details.issues]).toEqual([400, [refusal]]);
        outcomes.add(refusal?.path.split('.')[0] ?? '');
      }
    }),
    { numRuns: 80 },
  );
  expect([...outcomes].sort()).toEqual(
    expect.arrayContaining(['aborted', 'cleared', 'inconclusive', 'outputs']),
  );
});

describe('cases that a model judges', () => {
  const judged = {
    judge: { type: 'llm_judge', config: { rubric: 'Polite?', _provider: 'openai' } },
    ...SCORERS,
  };
  const withCases = (...cases: readonly Fields[]) =>
    definitionOf({
      version: 1,
      suite: 's',
      scorers: judged,
      cases: cases.map((one) => ({ input: {}, ...one })),
    });
  const tried = async (definition: SuiteDefinition, sent: Submission): Promise<Tried> =>
    tryLocally(definition, sent, { nowMs: NOW });

  test('are listed, are in no figure, and take their outputs', async () => {
    const definition = await withCases(
      { key: 'a', scorer: 'has' },
      { key: 'tone', name: 'Tone', scorer: 'judge', must_pass: true },
      { key: 'off', scorer: 'judge', is_active: false },
    );
    const outputs = [
      { case: 'a', output: 'a' },
      { case: 'tone', output: 'hello' },
      { case: 'off', output: 'hello' },
    ];
    expect(await tried(definition, { outputs })).toMatchObject({
      outcome: 'verdict',
      verdict: {
        ...{ status: 'cleared', total_cases: 1, missing_cases: 0, surplus: ['off'] },
        not_judged: [{ case: 'Tone', key: 'tone', advisory: false }],
      },
    });
  });

  test('leave no verdict where no other case decides', async () => {
    const definition = await withCases(
      { key: 'tone', scorer: 'judge' },
      { key: 'a', scorer: 'has', advisory: { ...advisory, expires_at: '2026-12-01T00:00:00Z' } },
    );
    expect(await tried(definition, { output: 'a' })).toEqual({
      outcome: 'not_judged',
      not_judged: [{ case: 'tone', key: 'tone', advisory: false }],
    });
  });
});
