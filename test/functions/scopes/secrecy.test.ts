import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { covers } from '../../../shared/contracts/base/scopes.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import { type Api, type ApiAnswer, api, sharedServiceUrl } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { makeKey, newOrganisation } from '../apiKeys/organisation.ts';

/** Texts, numbers and names that stand in documents of the bar, and nowhere else. */
const TEXT = 'canary-text';
const NAME = 'canary-name';
const NUMBERS = [918_273_645, -918_273.25] as const;
const CANARIES = [TEXT, NAME, ...NUMBERS.map(String)];

/** Of the outputs that were sent. They quote what these were compared with: docs/credentials.md says so. */
const OF_JUDGED: readonly string[] = ['reason', 'scorer_output', 'input_excerpt'];

function expectNoCanary(answer: ApiAnswer, quoting: readonly string[] = []): void {
  const visible = JSON.stringify(answer.body ?? null, (name, value) =>
    quoting.includes(name) ? undefined : value,
  );
  expect(CANARIES.filter((canary) => visible.includes(canary))).toEqual([]);
  expect(answer.status).toBeLessThan(300);
}

const { planted } = fc.letrec((tie) => ({
  planted: fc.oneof(
    fc.constantFrom<unknown>(TEXT, ...NUMBERS),
    fc.array(tie('planted'), { minLength: 1, maxLength: 2 }),
    fc.dictionary(fc.constant(NAME), tie('planted'), { minKeys: 1 }),
  ),
}));

const scorersWith = (value: unknown) => ({
  exact: { type: 'exact_match', config: {} },
  words: { type: 'contains', config: { values: [TEXT, JSON.stringify(value)] } },
  pattern: { type: 'regex', config: { pattern: TEXT } },
  shape: { type: 'json_schema', config: { schema: { const: NUMBERS[0], title: NAME } } },
  asserts: {
    type: 'json_path',
    config: { assertions: [{ path: `$.${NAME.replace('-', '_')}`, op: 'equals', value }] },
  },
  limit: { type: 'metric', config: { field: 'latency_ms', max: NUMBERS[0] } },
  judge: { type: 'llm_judge', config: { _provider: 'openai', rubric: TEXT, model: TEXT } },
});
const KEYS = Object.keys(scorersWith(null));

const caseOf = (key: string, documents: object) => ({
  key,
  scorer: key,
  input: {},
  ...documents,
  // No run waits for a judge.
  is_active: key !== 'judge',
});

const definitionWith = (values: readonly unknown[]) => ({
  version: 1,
  suite: 'returns',
  pass_threshold: 0.9,
  description: TEXT,
  scorers: scorersWith(values[0]),
  cases: KEYS.map((key, index) =>
    caseOf(key, { input: { [NAME]: values[index] }, expected: values[index], description: TEXT }),
  ),
});

const oneForEachKey = (value: fc.Arbitrary<unknown>) =>
  fc.array(value, { minLength: KEYS.length, maxLength: KEYS.length });

/** What somebody sends who knows the keys, and no document. */
const guessed = fc.record({
  values: oneForEachKey(fc.oneof(fc.integer(), fc.jsonValue({ maxDepth: 1 }))),
  keys: fc.subarray(KEYS),
  prune: fc.boolean(),
});

let [owner, client]: Api[] = [];
let suiteId: string;
const PATH = '/v1/projects/bot/suites/returns/definition';

const push = async (definition: object) => {
  const { status, body } = await owner!('PUT', PATH, { definition, allow_weaker: true });
  expect({ status, body }).toMatchObject({ status: 200 });
};
const plan = (definition: object, prune = false) =>
  client!('PUT', PATH, { definition, prune, dry_run: true });

beforeAll(async () => {
  const organisation = await newOrganisation({ baseUrl: sharedServiceUrl() });
  owner = organisation.client;
  client = api(sharedServiceUrl(), (await makeKey(owner, { scope: 'run' })).key);
  await makeProject(owner, { slug: 'bot', description: TEXT });
  await push(definitionWith(KEYS.map((_, index) => NUMBERS[index] ?? TEXT)));
  suiteId = (await owner('GET', '/v1/projects/bot/suites/returns')).body.data.id;
});

const run = (outputs: readonly object[]) => client!('POST', '/v1/run', { suite: 'returns', outputs });
const wrong = KEYS.slice(0, -1).map((key) => ({ case: key, output: '{}', metadata: { latency_ms: 1e12 } }));

/** All that a credential of scope `run` may ask for, by the ids of contracts. */
const ASKING: Readonly<Record<string, () => Promise<void>>> = {
  'auth/whoami': async () => expectNoCanary(await client!('GET', '/v1/whoami')),
  // No person has sent it.
  'auth/createCliCode': async () => {
    const body = { challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' };
    expect((await client!('POST', '/v1/auth/cli', body)).status).toBe(403);
  },
  'auth/createSession': async () => expectNoCanary(await client!('POST', '/v1/auth/session', {})),
  'auth/deleteSession': async () => expectNoCanary(await client!('DELETE', '/v1/auth/session')),
  'suites/get': async () => expectNoCanary(await client!('GET', '/v1/projects/bot/suites/returns')),
  'suites/getById': async () => expectNoCanary(await client!('GET', `/v1/suites/${suiteId}`)),
  'suites/revision': async () => {
    const { id } = (await owner!('GET', `/v1/suites/${suiteId}/cases`)).body.data.at(-1);
    for (const is_active of [true, false]) {
      expect((await owner!('PATCH', `/v1/cases/${id}`, { is_active })).body.data.key).toBe('judge');
      expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/revision`));
    }
  },
  'history/revisions': async () => expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/revisions`)),
  'history/revision': async () => {
    const { body } = await run(wrong);
    expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/revisions/${body.suite_digest}`));
  },
  'history/diff': async () => {
    const { body } = await run(wrong);
    await push(definitionWith(KEYS.map((_, index) => NUMBERS[index + 1] ?? `${TEXT}.`)));
    expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/revisions/${body.suite_digest}/diff`));
    await push(definitionWith(KEYS.map((_, index) => NUMBERS[index] ?? TEXT)));
  },
  /** The suite says `show_inputs`. */
  'cases/inputs': async () => expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/inputs`), ['input']),
  'runs/create': async () => {
    expectNoCanary(await run([{ case: 'exact', error: '429' }]));
    expectNoCanary(await run(wrong), OF_JUDGED);
  },
  'runs/get': async () =>
    expectNoCanary(await client!('GET', `/v1/runs/${(await run(wrong)).body.id}`), OF_JUDGED),
  'runs/statement': async () => {
    const address = '/v1/projects/bot/suites/returns';
    await owner!('PATCH', address, { pass_threshold: 0 });
    const { body } = await run(wrong);
    expect(body.status).toBe('cleared');
    const answer = await client!('GET', `/v1/runs/${body.id}/statement`);
    const signed = JSON.parse(String(Buffer.from(answer.body.dsseEnvelope.payload, 'base64')));
    expectNoCanary({ ...answer, body: signed });
    await owner!('PATCH', address, { pass_threshold: 0.9 });
  },
  'runs/list': async () => expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/runs`), OF_JUDGED),
  'runs/results': async () => {
    const unanswered = await run([{ case: 'exact', error: '429' }]);
    expectNoCanary(await client!('GET', `/v1/runs/${unanswered.body.id}/results`), ['input_excerpt']);
    const answered = await run(wrong);
    expectNoCanary(await client!('GET', `/v1/runs/${answered.body.id}/results`), OF_JUDGED);
  },
  'baselines/get': async () => {
    await accepted();
    expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/baseline`));
  },
  'baselines/list': async () => {
    await accepted();
    expectNoCanary(await client!('GET', `/v1/suites/${suiteId}/baselines`));
  },
  'comparisons/get': async () => {
    await accepted();
    const { body } = await run(wrong);
    expectNoCanary(await client!('GET', `/v1/runs/${body.id}/comparison`), OF_JUDGED);
  },
  'definitions/put': () =>
    fc.assert(
      fc.asyncProperty(oneForEachKey(planted), guessed, async (stored, { values, keys, prune }) => {
        await push(definitionWith(stored));
        const own = KEYS.map((key, index) =>
          caseOf(key, { expected: values[index], input: { q: values[index] } }),
        );
        const definition = {
          version: 1,
          suite: 'returns',
          scorers: scorersOf(values),
          description: null,
          cases: own.filter(({ key }) => keys.includes(key)),
        };
        expectNoCanary(await plan(definition, prune));
      }),
      { numRuns: 20 },
    ),
};

/** A run of which nothing was judged. */
async function accepted(): Promise<void> {
  const { body } = await run([{ case: 'exact', error: '429' }]);
  const made = await owner!('POST', `/v1/suites/${suiteId}/baselines`, { run_ids: [body.id] });
  expect(made.status).toBe(201);
}

/** Of other types, so that each config changes. */
const scorersOf = (values: readonly unknown[]) =>
  Object.fromEntries(
    KEYS.map((key, index) => [
      key,
      { type: 'contains', config: { values: [`${JSON.stringify(values[index])}.`] } },
    ]),
  );

describe('a credential of scope run is shown no value of input, expected, config or description', () => {
  test.each(Object.entries(ASKING))('by %s', (_, ask) => ask());

  test('by no other endpoint: these are all that it may call', () => {
    const callable = contracts.filter(
      ({ access, scope = 'full' }) => access === 'api_key' && covers('run', scope),
    );
    expect(callable.map(({ id }) => id).sort()).toEqual(Object.keys(ASKING).sort());
  });
});

const DOCUMENTS = { input: {}, expected: {} };

test('bars that differ in documents only are planned alike, whatever the types of what differs', async () => {
  const values = [true, false, null, 0, 1, '', 'x', [], {}, [0], { a: null }];
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const exact = { type: 'exact_match', config: { case_sensitive: index % 2 === 0 } };
    const stored = (documents: object, scorer: object) => ({
      version: 1,
      suite: 'returns',
      scorers: { exact: scorer },
      cases: [caseOf('exact', documents)],
    });
    await owner!('PUT', PATH, {
      definition: stored({ expected: value, input: { value }, description: `d${index}` }, exact),
      allow_weaker: true,
      prune: true,
    });
    for (const expected of ['other', 2, ['other'], { other: 2 }]) {
      const other = { type: 'contains', config: { values: ['other'] } };
      const { body } = await plan(stored({ expected, input: { value: expected } }, other));
      seen.add(JSON.stringify(body.data.changes));
      expect(body.data.changes).toEqual([
        expect.objectContaining({ kind: 'scorer', key: 'exact', fields: { type: {}, config: {} } }),
        expect.objectContaining({ kind: 'case', key: 'exact', fields: { ...DOCUMENTS, description: {} } }),
      ]);
    }
  }
  expect(seen.size).toBe(1);
});

test('it learns of a bar that a push would move: which part, how, and the numbers and switches', async () => {
  const of = (fields: object, suite: object) => ({
    version: 1,
    suite: 'returns',
    scorers: { exact: { type: 'exact_match', config: {} } },
    ...suite,
    cases: [{ key: 'exact', scorer: 'exact', input: {}, ...fields }],
  });
  const bar = of({ threshold: 0.5, must_pass: true, tags: ['a'] }, { pass_threshold: 0.9 });
  await owner!('PUT', PATH, { definition: bar, allow_weaker: true, prune: true });
  const { body } = await plan(
    of({ threshold: 0.4, expected: 1 }, { pass_threshold: 0.8, keep_outputs: 'all' }),
  );
  expect(body.data.changes).toEqual([
    expect.objectContaining({
      kind: 'suite',
      effect: 'weaker',
      fields: { pass_threshold: { from: 0.9, to: 0.8 }, keep_outputs: {} },
    }),
    expect.objectContaining({
      kind: 'case',
      key: 'exact',
      effect: 'weaker',
      fields: {
        threshold: { from: 0.5, to: 0.4 },
        must_pass: { from: true, to: false },
        tags: {},
        expected: {},
      },
    }),
  ]);
});

const slowest = (max: number) => ({ type: 'metric', config: { field: 'latency_ms', max } });
const holding = (...values: string[]) => ({ type: 'contains', config: { values } });

test.each([
  { stored: slowest(500), guesses: [1, 499, 499.9, 501, 1e6].map(slowest) },
  { stored: holding('a', 'b'), guesses: [holding('a'), holding('b'), holding('a', 'b', 'c'), holding('c')] },
])(
  'a hidden config is found by no bisection: each guess is planned alike ($stored.type)',
  async ({ stored, guesses }) => {
    const of = (guessed: object) => ({
      version: 1,
      suite: 'returns',
      scorers: { hidden: guessed, loose: guessed },
      cases: [{ key: 'one', scorer: 'hidden', input: {} }],
    });
    await owner!('PUT', PATH, { definition: of(stored), allow_weaker: true, prune: true });
    const seen = new Set<string>();
    for (const guess of guesses) {
      const { changes, weaker } = (await plan(of(guess))).body.data;
      expect(changes).toMatchObject([
        { key: 'hidden', fields: { config: {} }, effect: 'may be weaker' },
        { key: 'loose', fields: { config: {} }, effect: 'may be weaker' },
      ]);
      expect(weaker).toEqual(changes);
      seen.add(JSON.stringify(changes));
    }
    expect(seen.size).toBe(1);
  },
);
