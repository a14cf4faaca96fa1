import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { contracts } from '../../shared/contracts/registry.ts';
import { processorMs } from '../../shared/scoring/kit/guard.ts';
import { type Api, api } from '../support/api.ts';
import { type OwnService, startOwnService } from '../support/ownService.ts';
import { makeNames, type Names, requestTo } from '../support/requests.ts';
import { slowdown } from '../support/yardstick.ts';

/** Of the processor, for one request: its client and its table run in the same thread, and count, too. */
const REQUEST_MS_MAX = 2_000;
/** What else the machine does makes a request cost more, never less: the least counts, by what work costs meanwhile. */
const TRIES_MAX = 3;
const BODY_BYTES = 6 * 1_024 * 1_024;

let service: OwnService;
let client: Api;
let names: Names;
beforeAll(async () => {
  service = await startOwnService();
  const { body } = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Tests' });
  // Answers are not compared with the documents: that takes longer than to make them.
  client = api(service.baseUrl, body.data.api_key.key, () => {});
  names = await makeNames(client);
});
afterAll(() => service.stop());

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly text: string;
}

async function costOf<Answered>(send: () => Promise<Answered>) {
  let least = Number.POSITIVE_INFINITY;
  let answer: Answered | undefined;
  for (let tries = 0; tries < TRIES_MAX && least > REQUEST_MS_MAX; tries++) {
    const startMs = processorMs();
    answer = await send();
    const ms = processorMs() - startMs;
    least = Math.min(least, ms > REQUEST_MS_MAX ? ms / slowdown() : ms);
  }
  return { ms: least, answer: answer as Answered };
}

async function expectCheap(sent: Sent, statuses?: readonly number[]): Promise<void> {
  expect(Buffer.byteLength(sent.text)).toBeLessThanOrEqual(BODY_BYTES);
  const { ms, answer } = await costOf(() => client(sent.method, sent.path, sent.text));
  expect(ms).toBeLessThan(REQUEST_MS_MAX);
  if (statuses !== undefined) expect(statuses).toContain(answer.status);
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(',');

/** Values that are much for what they take, of so many bytes. */
const LARGE: readonly ((bytes: number) => string)[] = [
  (bytes) => `"${'\\u0001'.repeat((bytes - 2) / 6)}"`,
  (bytes) => `{${times(bytes / 16, (index) => `"k${index}":[]`)}}`,
  (bytes) => `[${times(bytes / 3, () => '{}')}]`,
  (bytes) => `[${times(bytes / 21, () => '90071992547409931234')}]`,
  (bytes) => `1${'0'.repeat(bytes - 2)}1`,
  (bytes) => `[${times(bytes / 64, (index) => `{"key":"K ${index}","case":${index},"output":1,"error":2}`)}]`,
];

const withBody = contracts
  .filter(({ body, access }) => body !== undefined && access !== 'public')
  .map((contract) => [contract.id, contract] as const);

describe.each(withBody)('%s takes at most 2 s of the processor', (_, contract) => {
  test('with a large value in every field', async () => {
    const fields = Object.keys((contract.body as unknown as { shape: object }).shape);
    const bytes = Math.floor(BODY_BYTES / fields.length) - 100;
    const first = withBody.findIndex(([id]) => id === contract.id);
    const parts = fields.map((field, at) => `"${field}":${LARGE[(first + at) % LARGE.length]?.(bytes)}`);
    await expectCheap({ ...requestTo(contract, names), text: `{${parts.join(',')}}` });
  });

  test('with as many unknown fields as fit', async () => {
    const text = `{${times(BODY_BYTES / 16, (index) => `"k${index}":1`)}}`;
    await expectCheap({ ...requestTo(contract, names), text });
  });
});

const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const keyed = <T>(count: number, one: (index: number) => T): Record<string, T> =>
  Object.fromEntries(many(count, one).map((value, at) => [`s${at}`, value]));

/** Whatever is validated goes both ways at each of forty steps, and fits. */
const slowSchema = (index: number) => ({
  $defs: Object.fromEntries([
    ...many(40, (at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 2}` }] },
    ]),
    ['d40', { maxLength: index }],
    ['d41', { maxLength: index }],
  ]),
  allOf: [{ $ref: '#/$defs/d0' }],
});
const pattern = (index: number) => many(40, (at) => `[a-z]{1,${900 + at}}${index}`).join('|');

const SCORERS: Readonly<Record<string, readonly [count: number, one: (index: number) => object]>> = {
  'slow schemas': [20, (index) => ({ type: 'json_schema', config: { schema: slowSchema(index) } })],
  'ordinary schemas': [
    1_000,
    (index) => ({
      type: 'json_schema',
      config: { schema: { required: ['a'], properties: { a: { type: 'string', maxLength: index } } } },
    }),
  ],
  'patterns of many repetitions': [
    1_000,
    (index) => ({ type: 'regex', config: { pattern: pattern(index) } }),
  ],
  'paths with a pattern each': [
    200,
    (index) => ({
      type: 'json_path',
      config: {
        assertions: many(100, (at) => ({
          path: `$[?match(@.a, 'x${index}y${at}[a-z]{1,50}')]`,
          op: 'exists',
        })),
      },
    }),
  ],
  'lists of values': [
    1_000,
    (index) => ({ type: 'contains', config: { values: many(990, (at) => `${(at * 7 + index) % 997}`) } }),
  ],
  'values that grow when they are normalized': [
    100,
    (index) => ({
      type: 'contains',
      config: { normalize: true, values: many(20, (at) => `${'\ufdfa'.repeat(900)}${at} ${index}`) },
    }),
  ],
  'more scorers than a project holds': [40_000, () => ({ type: 'regex', config: { pattern: 'a' } })],
};

const push = (definition: object, suite = 'fresh') => ({
  method: 'PUT',
  path: `/v1/projects/${names.slug}/suites/${suite}/definition`,
  text: JSON.stringify({ dry_run: true, definition: { version: 1, suite, ...definition } }),
});

describe('a dry run of a definition takes at most 2 s of the processor', () => {
  test.each(Object.entries(SCORERS))('with %s', async (_, [count, one]) => {
    await expectCheap(push({ scorers: keyed(count, one) }), [200, 400]);
  });

  const EQ = { eq: { type: 'exact_match', config: {} } };
  const TAGS = many(50, (at) => `t${at}`);
  const GATES = { tags: TAGS.map((tag) => ({ tag, pass_threshold: 0.5 })) };
  const tagged = (index: number) => ({
    key: `c${index}`,
    scorer: 'eq',
    input: {},
    expected: `${index}`,
    weight: 1 + (index % 97) / 7,
    tags: TAGS.slice(index % 30, (index % 30) + 20),
  });

  test('with as many cases, tags and gates as a suite has', async () => {
    await expectCheap(push({ gates: GATES, scorers: EQ, cases: many(10_000, tagged) }), [200]);
  });

  test('with changes of all cases, all gates and large scorers that all cases change between', async () => {
    const values = (letter: string) => many(1_000, (at) => `${letter}${at}`.padEnd(100, letter));
    const large = (letter: string) => ({ type: 'contains', config: { values: values(letter) } });
    const endsIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const advised = (index: number) =>
      index < 12 && {
        advisory: { owner: 'us', reason: 'as long as it lasts', expires_at: endsIn(1 + index) },
      };
    const cases = (one: (index: number) => object) =>
      many(3_000, (at) => ({ ...tagged(at), ...one(at), ...advised(at) }));
    const scorers = { eq: large('a'), other: large('b') };
    const stored = push({ gates: GATES, scorers, cases: cases(() => ({})) }, 'stored');
    const { status } = await client(
      'PUT',
      stored.path,
      stored.text.replace('"dry_run":true', '"dry_run":false'),
    );
    expect(status).toBe(200);
    const changed = cases((at) => ({ scorer: 'other', weight: 1 + (at % 89) / 11 }));
    await expectCheap(push({ gates: GATES, scorers, cases: changed }, 'stored'), [200]);
  });
});

test('what was not checked of a definition is named, also for a credential that may only plan', async () => {
  const { body } = await client('POST', '/v1/api-keys', { name: 'Plans', scope: 'run' });
  const planner = api(service.baseUrl, body.data.key);
  const sent = push({ scorers: keyed(20, SCORERS['slow schemas']?.[1] ?? (() => ({}))) });
  const { ms, answer } = await costOf(() => planner(sent.method, sent.path, sent.text));
  expect(ms).toBeLessThan(REQUEST_MS_MAX);
  expect(answer.status).toBe(400);
  const [first, ...others] = answer.body.error.details.issues;
  expect(first).toEqual({
    path: 'definition.scorers',
    message: expect.stringMatching(/^the time of the checks was used up before these were checked: s\d+, /),
  });
  const unchecked = first.message.match(/s\d+/g);
  expect(unchecked.length + others.length).toBe(20);
  for (const { path, message } of others) {
    expect(path).toMatch(/^definition\.scorers\.s\d+\.config\.schema$/);
    expect(message).toMatch(/^takes too long/);
  }
});

describe('at most 2 s of the processor takes', () => {
  test.each(Object.entries(SCORERS))('a scorer of the kind: %s', async (_, [, one]) => {
    const text = JSON.stringify({ name: 'Slow', ...one(0) });
    await expectCheap({ method: 'POST', path: `/v1/projects/${names.slug}/scorers`, text });
  });

  test('an order of 10,000 cases that the suite does not have', async () => {
    const text = JSON.stringify({ case_ids: many(10_000, () => randomUUID()) });
    await expectCheap(
      { method: 'POST', path: `/v1/suites/${names.suiteId}/cases/reorder`, text },
      [400, 404],
    );
  });

  test.each<[string, (index: number) => object]>([
    ['of unknown cases', (index) => ({ case: `${index}`, output: 'x' })],
    ['that are no outputs', (index) => ({ case: index, output: index, error: index, metadata: index })],
    ['of one case, which takes one', () => ({ case: names.caseId, output: 'x' })],
  ])('a run of 20,000 outputs %s', async (_, one) => {
    const text = JSON.stringify({ project: names.slug, suite: names.suiteSlug, outputs: many(20_000, one) });
    await expectCheap({ method: 'POST', path: '/v1/run', text }, [400]);
  });
});
