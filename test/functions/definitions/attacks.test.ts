import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { dropKeyOfCase, dropKeyOfScorer } from '../../support/idsAsKeys.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
type Resource = any;

let service: OwnService;
let client: Api;
let project: Resource;
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  client = await signUp(service.baseUrl);
  project = await makeProject(client, { slug: 'bot' });
});

const PATH = '/v1/projects/bot/suites/returns/definition';
const HAS = { type: 'contains', config: { values: ['30 days'] } };
const DEFINITION = {
  version: 1,
  suite: 'returns',
  pass_threshold: 0.9,
  scorers: { has: HAS },
  cases: [{ key: 'window', scorer: 'has', input: { q: 'How long?' } }],
};
const BODY = { definition: DEFINITION, allow_weaker: true, prune: true };
const put = (body: unknown) => client('PUT', PATH, body);
const pushed = async () => expect((await put(BODY)).status).toBe(200);

type Stored = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

/** All that is stored, but when credentials were used last. */
async function stored(): Promise<Stored> {
  const items = await service.items();
  const kept = items.filter(({ pk }) => !String(pk).startsWith('RATE#'));
  return new Map(kept.map(({ pk, sk, last_used_at: _, ...fields }) => [`${pk} ${sk}`, fields]));
}

/** The names of the items that differ. */
function changesOf(before: Stored, after: Stored): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !isDeepStrictEqual(before.get(name), after.get(name)));
}

/** The body is refused with these sentences, and nothing is stored. */
async function expectRefused(body: unknown, ...issues: readonly (readonly [path: string, RegExp])[]) {
  const before = await stored();
  const answer = await put(body);
  expect({ status: answer.status, code: answer.body.error?.code }).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
  });
  expect(answer.body.error.details.issues).toEqual(
    issues.map(([path, message]) => ({ path, message: expect.stringMatching(message) })),
  );
  expect(changesOf(before, await stored())).toEqual([]);
}

interface Elsewhere {
  readonly client: Api;
  readonly project: Resource;
}

/** Another suite with a case and its scorer; `idsAreKeys`: they have their ids as keys. */
async function another({ client: own, project: at }: Elsewhere, { idsAreKeys }: { idsAreKeys: boolean }) {
  const suite = await makeSuite(own, at, { slug: 'another' });
  const scorer = await makeScorer(own, at, { key: 'theirs', ...HAS });
  const evalCase = await makeCase(own, suite, scorer, { key: 'their-case' });
  if (idsAreKeys) {
    await dropKeyOfCase(service.table, { project: at, suite }, evalCase.id);
    await dropKeyOfScorer(service.table, at, scorer.id);
  }
  return { suite, scorer, evalCase };
}

const PLACES: readonly [string, () => Promise<Elsewhere>][] = [
  ['another suite of the project', async () => ({ client, project })],
  [
    'another project of the organisation',
    async () => ({ client, project: await makeProject(client, { slug: 'other' }) }),
  ],
  [
    'another organisation',
    async () => {
      const stranger = await signUp(service.baseUrl);
      return { client: stranger, project: await makeProject(stranger, { slug: 'bot' }) };
    },
  ],
];

const NO_UUID = /^must not have the form of a UUID$/;
const NO_SCORER = /^names no scorer of the definition: add it to `scorers`$/;

describe.each(PLACES)('of %s', (_, place) => {
  test.each([{ idsAreKeys: false }, { idsAreKeys: true }])(
    'a case is never named by its id, also where that is its key: %j',
    async (options) => {
      await pushed();
      const { evalCase } = await another(await place(), options);
      const cases = [...DEFINITION.cases, { key: evalCase.id, scorer: 'has', input: {} }];
      await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
        'definition.cases.1.key',
        NO_UUID,
      ]);
    },
  );

  test('a scorer is named by no case unless the definition has it, by its key or by its id', async () => {
    await pushed();
    const { scorer } = await another(await place(), { idsAreKeys: false });
    for (const named of [scorer.id, scorer.key]) {
      const cases = [{ ...DEFINITION.cases[0], scorer: named }];
      await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
        'definition.cases.0.scorer',
        NO_SCORER,
      ]);
    }
  });
});

describe.each(PLACES.slice(1))('of %s', (_, place) => {
  test.each([{ idsAreKeys: false }, { idsAreKeys: true }])(
    'a scorer is never changed by its id, also where that is its key: %j',
    async (options) => {
      await pushed();
      const { scorer } = await another(await place(), options);
      const scorers = { has: HAS, [scorer.id]: { ...HAS, config: { values: ['other'] } } };
      await expectRefused({ ...BODY, definition: { ...DEFINITION, scorers } }, [
        `definition.scorers.${scorer.id}`,
        NO_UUID,
      ]);
    },
  );

  test('a key makes a scorer and a case of the own project, and theirs stay as they are', async () => {
    const elsewhere = await place();
    const { scorer, evalCase } = await another(elsewhere, { idsAreKeys: false });
    const definition = {
      ...DEFINITION,
      scorers: { theirs: { ...HAS, config: { values: ['lower'] } } },
      cases: [{ key: 'their-case', scorer: 'theirs', input: {}, threshold: 0 }],
    };
    expect((await put({ ...BODY, definition })).body.data.affects).toEqual([]);
    expect((await elsewhere.client('GET', `/v1/scorers/${scorer.id}`)).body.data).toEqual(scorer);
    expect((await elsewhere.client('GET', `/v1/cases/${evalCase.id}`)).body.data).toEqual(evalCase);
  });
});

/** The body with a member of that name put in as JSON text, since a literal of JavaScript makes none of `__proto__`. */
const withMember = (at: string, name: string, value: unknown): string => {
  const text = JSON.stringify(BODY);
  expect(text.split(at)).toHaveLength(2);
  return text.replace(at, `${at}${JSON.stringify(name)}:${JSON.stringify(value)},`);
};

const UNKNOWN = /is not a field here: |is not a field of contains, /;
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

describe('names that every object has', () => {
  test.each([
    ['the body', '{', '', { allow_weaker: true }],
    ['the definition', '"definition":{', 'definition.', { pass_threshold: 0 }],
    ['a scorer', '"has":{', 'definition.scorers.has.', { dual_sided: true }],
    ['a config', '"config":{', 'definition.scorers.has.config.', { mode: 'any' }],
    ['a case', '"cases":[{', 'definition.cases.0.', { threshold: 0 }],
  ])('are unknown fields of %s', async (_, at, path, value) => {
    await pushed();
    const text = JSON.stringify(BODY);
    for (const name of NAMES) {
      const body =
        at === '{'
          ? `{${JSON.stringify(name)}:${JSON.stringify(value)},${text.slice(1)}`
          : withMember(at, name, value);
      await expectRefused(body, [`${path}${name}`, UNKNOWN]);
    }
  });

  test('are no keys of scorers and cases, but for the one that is a slug', async () => {
    await pushed();
    await expectRefused(withMember('"scorers":{', '__proto__', HAS), [
      'definition.scorers',
      /^must not hold the name "__proto__"$/,
    ]);
    for (const name of ['toString', 'hasOwnProperty']) {
      await expectRefused(withMember('"scorers":{', name, HAS), [
        `definition.scorers.${name}`,
        /^Invalid key/,
      ]);
    }
    for (const name of NAMES.filter((one) => one !== 'constructor')) {
      const cases = [{ ...DEFINITION.cases[0], key: name }];
      await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
        'definition.cases.0.key',
        /^only lower-case letters/,
      ]);
    }
    const cases = [{ ...DEFINITION.cases[0], scorer: 'constructor' }];
    await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
      'definition.cases.0.scorer',
      NO_SCORER,
    ]);
  });

  test('mean a key, or part of a document, like any other where they can stand', async () => {
    const definition = JSON.stringify({
      ...DEFINITION,
      scorers: { constructor: HAS },
      cases: [{ key: 'constructor', scorer: 'constructor', input: { at: 1 }, expected: { at: 1 } }],
    }).replaceAll('"at":1', '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}');
    const sent = `{"definition":${definition}}`;
    expect((await put(sent)).status).toBe(200);
    expect((await put(sent)).body.data).toMatchObject({ applied: false, changes: [] });
    const answered = (await client('GET', PATH)).body.data.definition;
    expect(JSON.stringify(answered.cases[0].input)).toBe(
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    );
    expect(JSON.stringify(answered.cases[0].expected)).toBe(JSON.stringify(answered.cases[0].input));
    expect(Object.keys(answered.scorers)).toEqual(['constructor']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
    const run = { suite: 'returns', project: 'bot', output: 'never' };
    expect((await client('POST', '/v1/run', run)).body).toMatchObject({ status: 'aborted', total_cases: 1 });
  });
});

describe('a body is refused whole', () => {
  test('of more than 6 MB', async () => {
    await pushed();
    const cases = Array.from({ length: 30 }, (_, index) => ({
      key: `c${index}`,
      scorer: 'has',
      input: { text: 'x'.repeat(220_000) },
    }));
    await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
      'body',
      /must not be larger than 6 MB/,
    ]);
  });

  test('with one document that is too large, or too deep, whatever else is fine', async () => {
    await pushed();
    const large = { ...DEFINITION.cases[0], key: 'large', input: { text: 'x'.repeat(262_145) } };
    const definition = { ...DEFINITION, pass_threshold: 0, cases: [...DEFINITION.cases, large] };
    await expectRefused({ ...BODY, definition }, ['definition.cases.1.input', /^at most 256 kB of JSON$/]);
    const deep = `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`;
    await expectRefused(JSON.stringify(BODY).replace('{"q":"How long?"}', deep), ['body', /nest/]);
  });

  test('with a key that occurs twice', async () => {
    await pushed();
    const cases = [...DEFINITION.cases, { ...DEFINITION.cases[0], threshold: 0 }];
    await expectRefused({ ...BODY, definition: { ...DEFINITION, cases } }, [
      'definition.cases.1.key',
      /^"window" is the key of definition\.cases\.0 already/,
    ]);
  });
});
