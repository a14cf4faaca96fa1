import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import type { SuiteDefinition } from '../../../../clients/files/resolve/definition.ts';
import type { Submission } from '../../../../clients/files/trial/samples.ts';
import { type LocalVerdict, type Tried, tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { type Api, sharedServiceUrl, signUp } from '../../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../../support/builders.ts';
import { sized } from '../../../support/soak.ts';
import { makeFolder, NOW, readIn, writeFiles } from '../repository.ts';

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
  judge: { type: 'llm_judge', config: { rubric: 'Polite?', _provider: 'openai' } },
};
const isJudged = ({ scorer }: { scorer: string }) => scorer === 'judge';
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
    version: 1,
    suite: 's',
    ...head,
    scorers: SCORERS,
    cases: cases.map(({ counts, ...one }, index) => ({ key: `k${index}`, ...one, ...counts })),
  }));

const metadata = fc.record({ latency_ms: fc.constantFrom(1, 100, 101) }, { requiredKeys: [] });
const outputOf = fc.oneof(
  { weight: 6, arbitrary: texts.map((output) => ({ output })) },
  { weight: 2, arbitrary: fc.record({ output: texts, metadata }) },
  { weight: 1, arbitrary: fc.constant({ error: '429' }) },
);
const forJudged = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ error: '429' }) },
  { weight: 1, arbitrary: fc.constant({ output: 'a' }) },
);
type Drawn = typeof suite extends fc.Arbitrary<infer T> ? T : never;

/**
 * Mostly as many as each case takes; sometimes for cases that are not there, or one too many. A judged case mostly gets
 * errors or nothing.
 */
const itemsFor = ({ cases }: Drawn): fc.Arbitrary<OutputItem[]> => {
  const all = cases.flatMap(({ key, sample_count = 1, is_active = true }) =>
    is_active ? Array<string>(sample_count).fill(key) : [],
  );
  const judged = new Set(cases.filter(isJudged).map(({ key }) => key));
  const sentFor = (key: string) => (judged.has(key) ? forJudged : outputOf);
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.constant(all) },
    { weight: 2, arbitrary: fc.subarray(all) },
    { weight: 1, arbitrary: fc.subarray([...all, 'k0', 'k5', 'gone', 'gone']) },
  );
  return names
    .map((some) => (some.length === 0 ? ['gone'] : some))
    .chain((some) => fc.tuple(...some.map((key) => sentFor(key).map((sent) => ({ case: key, ...sent })))))
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
    version: 1,
    suite: 's',
    scorers: SCORERS,
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

/** What the service answered, without the fields of a stored run. */
function comparable({ body, keys }: Awaited<ReturnType<typeof asService>>): LocalVerdict {
  const { id, suite_digest, outputs_digest, judge_usage, duration_ms, notices, ...answer } = body;
  const flips = answer.verdict.flips;
  const keyOf = (one: string) => keys.get(one) ?? one;
  const named = (one: { case_id: string }) => ({ ...one, case_id: keyOf(one.case_id) });
  return {
    ...answer,
    verdict: { ...answer.verdict, flips: flips && { ...flips, case_ids: flips.case_ids.map(keyOf) } },
    scores: answer.scores.map(named),
    failures: answer.failures.map(named),
  };
}

const folder = makeFolder();

async function definitionOf(file: Fields): Promise<SuiteDefinition> {
  writeFiles(folder, { 'evals/s.suite.yaml': stringify(file) });
  const { suites: read, messages } = await readIn(folder);
  expect(messages.filter((line) => line.includes(': error: '))).toEqual([]);
  return read[0]!;
}

test('the local verdict is that of the service, whatever the suite and the outputs are', async () => {
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(trial, async ([file, sent]) => {
      const definition = await definitionOf(file);
      const local = await tryLocally(definition, sent, { nowMs: Date.now() });
      if (local.outcome === 'not_judged') {
        const gotOutput = ({ key }: { key: string }) =>
          sent.outputs?.some((item) => item.case === key && item.output !== undefined) ?? true;
        const named = definition.cases.filter(({ key }) => local.not_judged.some((one) => one.key === key));
        expect(named.every((one) => isJudged(one) && one.is_active && gotOutput(one))).toBe(true);
        expect(named).not.toEqual([]);
        outcomes.add('not judged');
        return;
      }
      const answered = await asService(definition, sent);
      if (local.outcome === 'verdict') {
        expect(answered).toMatchObject({ status: 200 });
        expect(local.verdict).toEqual(comparable(answered));
        outcomes.add(local.verdict.inconclusive ? 'inconclusive' : local.verdict.status);
        if (definition.cases.some((one) => isJudged(one) && one.is_active)) outcomes.add('judged');
      } else {
        expect(local.outcome).toBe('refused');
        const refusal = local.outcome === 'refused' ? local.refusal : undefined;
        // Of a suite with judges the service may know the counts only: then it names no case.
        const unnamed = (issue: { message: string } | undefined) =>
          issue && {
            ...issue,
            message: issue.message.replace(
              /the case "k\d" takes \d:|a case of the suite takes several:/,
              'one:',
            ),
          };
        const { issues } = answered.body.error.details;
        expect([answered.status, issues.map(unnamed)]).toEqual([400, [unnamed(refusal)]]);
        outcomes.add(refusal?.path.split('.')[0] ?? '');
      }
    }),
    { numRuns: sized(50, 200) },
  );
  expect([...outcomes].sort()).toEqual(
    expect.arrayContaining(['aborted', 'cleared', 'inconclusive', 'judged', 'not judged', 'outputs']),
  );
});

describe('of cases that a model judges', () => {
  const withCases = (...cases: readonly Fields[]) =>
    definitionOf({
      version: 1,
      suite: 's',
      scorers: SCORERS,
      cases: cases.map((one) => ({ input: {}, ...one })),
    });
  const tried = async (definition: SuiteDefinition, ...outputs: OutputItem[]): Promise<Tried> =>
    tryLocally(definition, { outputs }, { nowMs: NOW });
  const good = { case: 'a', output: 'a' };
  const hello = { case: 'tone', output: 'hello' };

  test('one with an output leaves no verdict, whatever the others say, and the results of all others are shown', async () => {
    const definition = await withCases(
      { key: 'a', scorer: 'has' },
      { key: 'tone', name: 'Tone', scorer: 'judge', must_pass: true },
      { key: 'none', scorer: 'judge' },
      { key: 'off', scorer: 'judge', is_active: false },
    );
    expect(await tried(definition, good, hello, { case: 'off', output: 'hello' })).toMatchObject({
      outcome: 'not_judged',
      not_judged: [{ case: 'Tone', key: 'tone', advisory: false }],
      scores: [
        { key: 'a', passed: true },
        { key: 'none', passed: false, missing: true },
      ],
      surplus: ['off'],
    });
  });

  test('one that lacks samples needs no model where they decide', async () => {
    const samples = { key: 'tone', scorer: 'judge', sample_count: 3 };
    const all = await withCases({ ...samples, sample_pass_rate: 1 });
    expect(await tried(all, hello, hello)).toMatchObject({
      outcome: 'verdict',
      verdict: {
        status: 'aborted',
        scores: [{ reason: '1 of 3 outputs were not sent for this case: send them' }],
      },
    });
    const any = await withCases({ ...samples, sample_pass_rate: 0.3 });
    expect(await tried(any, hello)).toMatchObject({ outcome: 'not_judged' });
  });
});
