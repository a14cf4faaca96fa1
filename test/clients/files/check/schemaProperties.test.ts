import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { jsonSchemas } from '../../../../clients/files/check/editorSchemas.ts';
import { configFileSchema } from '../../../../clients/files/check/fileSchemas.ts';
import { readConfig } from '../../../../clients/files/config/configFile.ts';
import { Repository } from '../../../../clients/files/disk/repository.ts';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { PAGE_FILES } from '../../../../clients/pages/files.ts';
import { sized } from '../../../support/soak.ts';
import { makeFolder, readIn, writeFiles } from '../repository.ts';

/** A file is read exactly where its published schema accepts it, but for what is named here. */

const ajv = new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } });
const printed = new Map(jsonSchemas().map(({ name, schema }) => [name, ajv.compile(schema)]));

test('each schema is served under /schema', () => {
  const paths = PAGE_FILES.map((file) => file.path).filter((served) => served.startsWith('/schema/'));
  expect(paths).toEqual([...printed.keys()].map((name) => `/schema/${name}`));
});

/** What no JSON Schema can say, each with its message. A file that its schema refuses is never read. */
const SAID_BY_CODE: readonly (readonly [string, RegExp])[] = [
  ['which scorers there are', /scorer names no scorer: write |\.scorer is missing: name a scorer/],
  ['that a key stands once', /is at .* already: give one another key$/],
  [
    'what named files hold',
    /file:\/\/.* (does not exist|names no file|is an absolute path)|^cases\[\d+\] |^must be a list of cases$/,
  ],
  [
    'what compiles',
    /config\.(pattern|schema|assertions|rubric|scale|max|min)\S*:? |config: |config\.\w+: is not for/,
  ],
  [
    'what belongs to what else is said',
    /dual_sided|_threshold: is for dual-sided scorers only|config\.should_match/,
  ],
  [
    'when an advisory ends',
    /expires_at (must be a time|is too late)|advisory cannot be set beside must_pass/,
  ],
  ['that numbers can be kept', /is too small to keep: write 0$/],
  ['that tags differ', /tags.*(twice|differ|once|same)/],
  ['characters beyond U+FFFF, which count twice', /: at most [\d,]+ characters$/],
  ['a name of the prototype', /^__proto__ is not the name of a field/],
];

type Fields = Readonly<Record<string, unknown>>;
const UUID = '0b9c1c1e-1f6c-4d8e-9b0a-0a4f5b7c2d11';

const SCORERS = {
  eq: { type: 'exact_match', config: { case_sensitive: false } },
  has: { type: 'contains', config: { values: ['a'], mode: 'any' }, dual_sided: true, recall_threshold: 0.5 },
  form: { type: 'json_schema', config: { schema: 'file://form.json' } },
  inline: { type: 'json_schema', config: { schema: { type: 'object' } }, name: 'Inline' },
  rx: { type: 'regex', config: { pattern: 'a+', flags: 'i', should_match: false } },
  judge: { type: 'llm_judge', config: { rubric: 'file://a.md', _provider: 'openai', scale: [0, 1] } },
  path: { type: 'json_path', config: { assertions: [{ path: '$', op: 'exists' }], partial: true } },
  near: { type: 'similarity', config: { metric: 'levenshtein' } },
  quick: { type: 'metric', config: { field: 'latency_ms', max: 100 } },
};
const advisory = { owner: 'me', reason: 'a new case', expires_at: '2026-11-30T12:00:00Z' };
const CASES = [
  { key: 'a', input: {}, expected: [1], scorer: 'eq', must_pass: true, tags: ['t'], sample_count: 2 },
  { key: UUID, input: 'file://form.json', scorer: 'has', advisory: null, is_active: false, weight: 2 },
  { key: 'c', name: 'C', description: 'd', input: {}, advisory, threshold: 0.5, sample_pass_rate: 0.5 },
  'file://more.yaml',
];
const FILES = {
  'evals/form.json': '{"type": "object"}',
  'evals/a.md': 'Polite?',
  'evals/more.yaml': '- { key: more, input: {}, scorer: eq }\n',
};

const some = <T extends object>(all: T) => fc.subarray(Object.entries(all)).map(Object.fromEntries);
const suites = fc
  .record({
    head: some({
      name: 'Returns',
      description: 'Long',
      pass_threshold: 0.9,
      gates: { min_judged_cases: 1, min_lower_bound: 0.1, tags: [{ tag: 't', pass_threshold: 1 }] },
      keep_outputs: 'all',
      show_expected: true,
      show_inputs: false,
      show_results: false,
    }),
    others: some(SCORERS),
    cases: fc.subarray(CASES),
  })
  .map(({ head, others, cases }) => ({
    version: 1,
    suite: 'returns',
    ...head,
    defaults: { threshold: 0.5, scorer: 'eq', tags: ['t'], weight: 1, sample_count: 1 },
    scorers: { ...others, eq: SCORERS.eq, has: SCORERS.has },
    cases,
  }));
const scorersFiles = some(SCORERS).map((scorers) => ({ version: 1, scorers }));

const lengths = [
  0, 1, 2, 19, 20, 21, 49, 50, 51, 99, 100, 101, 199, 200, 201, 500, 501, 2_000, 2_001, 10_001,
];
const texts = fc.oneof(
  fc.constantFrom(...lengths).map((length) => 'a'.repeat(length)),
  fc.constantFrom(
    UUID,
    UUID.toUpperCase(),
    'A b',
    '-a',
    'a-',
    '_a',
    'ä',
    '__proto__',
    'toString',
    'constructor',
  ),
  fc.constantFrom(' ', ' a ', '\ta\n', 'a\u0000b', 'a\u0085', ` ${'a'.repeat(200)} `, '\u00a0', 'a\nb'),
  fc.constantFrom('😀'.repeat(100), '😀'.repeat(101), '😀'.repeat(150), 'é'.repeat(200)),
  fc.constantFrom(
    'file://form.json',
    'file://none.json',
    'file://',
    '\\file://x',
    'File://x',
    'openai',
    'regex',
  ),
  fc.constantFrom('2026-11-30T12:00:00Z', '2026-11-30', '2026-11-30T12:00:00+02:00', 'soon', '(', 'a+'),
);
const numbers = fc.constantFrom(
  -1,
  0,
  1e-101,
  1e-100,
  0.5,
  1,
  1.5,
  2,
  1 + Number.EPSILON,
  20,
  21,
  50,
  51,
  100,
  101,
  1_000,
  1_001,
  10_000,
  10_001,
  20_001,
  1_000_000,
  1_000_001,
  2 ** 53,
  1e300,
);
const values = fc.oneof(
  texts,
  numbers,
  fc.constantFrom(
    null,
    true,
    false,
    {},
    [],
    [{}],
    ['t'],
    ['t', 't'],
    { a: 1 },
    ['A'],
    [1, 5],
    [5, 1],
    [1, 1],
  ),
  fc
    .constantFrom(20, 21, 50, 51, 100, 101)
    .map((length) => Array.from({ length }, (_, index) => `t${index}`)),
);

type Parent = Record<string, unknown>;
type Change = (parent: Parent, name: string) => void;
const replaced: fc.Arbitrary<Change> = fc.tuple(texts, numbers).map(([text, number]) => (parent, name) => {
  parent[name] = typeof parent[name] === 'number' ? number : text;
});
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((parent, name) => void Reflect.deleteProperty(parent, name)),
  texts.map(
    (extra): Change =>
      (parent) => {
        if (!Array.isArray(parent) && extra !== '__proto__') parent[extra] = 1;
      },
  ),
  texts.map(
    (key): Change =>
      (parent, name) => {
        if (Array.isArray(parent) || key === '__proto__') return;
        const { [name]: value } = parent;
        delete parent[name];
        parent[key] = value;
      },
  ),
  values.map(
    (value): Change =>
      (parent, name) => {
        parent[name] = value;
      },
  ),
  { weight: 4, arbitrary: replaced },
);

function* placesOf(value: unknown): Generator<readonly [parent: Parent, name: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    yield [value as Parent, name];
    yield* placesOf(inner);
  }
}

/** The file with none to three changes, as JSON has it. */
const mutated = (files: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
  fc.tuple(files, fc.array(fc.tuple(fc.nat(), changes), { maxLength: 3 })).map(([file, all]) => {
    const copy = structuredClone(file);
    for (const [pick, change] of all) {
      // Each name as often as any other.
      const places = [...Map.groupBy(placesOf(copy), ([, field]) => field).values()];
      const named = places[pick % places.length] ?? [];
      const [parent, name] = named[pick % named.length] ?? [];
      if (parent !== undefined && name !== undefined) change(parent, name);
    }
    return JSON.parse(JSON.stringify(copy));
  });

const folder = makeFolder(FILES);

async function expectSame(file: string, schema: string, document: Fields): Promise<boolean> {
  writeFiles(folder, { [file]: JSON.stringify(document) });
  const { messages } = await readIn(folder);
  const errors = messages
    .filter((line) => line.includes(': error: '))
    .map((line) => line.replace(/^.*?: error: /, ''));
  const isAccepted = printed.get(schema)!(document);
  const isRead = errors.length === 0;
  const why = errors.map((error) => SAID_BY_CODE.find(([, form]) => form.test(error))?.[0] ?? error);
  const isNamed = isAccepted && why.every((one) => SAID_BY_CODE.some(([name]) => name === one));
  if (isAccepted !== isRead && !isNamed) {
    const of = printed
      .get(schema)!
      .errors?.slice(0, 5)
      .map(({ instancePath, message }) => `${instancePath} ${message}`);
    expect({ document, read: errors, accepted: isAccepted ? 'accepted' : of }).toBeUndefined();
  }
  return isRead;
}

describe('the published schema accepts what the files are read as, and nothing else:', () => {
  test('a suite', async () => {
    writeFiles(folder, { 'evals/scorers.yaml': 'version: 1\nscorers: {}\n' });
    const read = { true: 0, false: 0 };
    await fc.assert(
      fc.asyncProperty(mutated(suites), async (document) => {
        read[`${await expectSame('evals/s.suite.yaml', 'suite.v1.json', document)}`]++;
      }),
      { numRuns: sized(120, 1_200) },
    );
    expect(Math.min(read.true, read.false)).toBeGreaterThan(sized(15, 200));
  });

  test('shared scorers', async () => {
    writeFiles(folder, { 'evals/s.suite.yaml': 'version: 1\nsuite: s\n' });
    await fc.assert(
      fc.asyncProperty(mutated(scorersFiles), async (document) => {
        await expectSame('evals/scorers.yaml', 'scorers.v1.json', document);
      }),
      { numRuns: sized(80, 700) },
    );
  });
});

const CONFIG = {
  version: 1,
  url: 'https://gate.example.com',
  organisation: 'o',
  project: 'p',
  suites: ['a'],
  scorers: [],
};
const addresses = fc.oneof(
  fc.webUrl(),
  fc.constantFrom('http://[::1]:8', 'https:', 'https:x', 'ftp://x', 'a b', ' https://x', 'HTTPS://X'),
);
const patterns = fc.oneof(
  fc.array(texts, { maxLength: 3 }),
  fc.array(fc.constant('a'), { minLength: 98, maxLength: 102 }),
);
const configs = fc
  .tuple(
    mutated(fc.constant(CONFIG)),
    fc.record({ url: addresses, suites: patterns, scorers: patterns }, { requiredKeys: [] }),
  )
  .map(([config, fields]) => ({ ...config, ...fields }));

test('evalgate.yaml is read exactly where its schema takes it, but for addresses, of which a schema knows the form', () => {
  const repository = new Repository(folder);
  const expectSameConfig = (document: unknown): void => {
    writeFiles(folder, { 'evalgate.yaml': JSON.stringify(document) });
    const problems = new Problems();
    const isRead = readConfig(repository, problems) !== undefined;
    const { error } = configFileSchema.safeParse(document);
    const isAddress = error?.issues.every(({ path }) => path[0] === 'url') ?? false;
    const isAccepted = isAddress ? isRead : printed.get('evalgate.v1.json')!(document);
    const said = { document, isRead, isAccepted, isRefused: problems.hasErrors };
    expect(said).toEqual({ document, isRead: !error, isAccepted: !error, isRefused: !!error });
  };
  fc.assert(fc.property(configs, expectSameConfig), { numRuns: sized(150, 1_000) });
  for (const document of [CONFIG, null, [], 'a', 1, {}, { version: 1 }]) expectSameConfig(document);
});
