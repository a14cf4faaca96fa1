import { expect, test } from '@jest/globals';
import { sized } from '../../../support/soak.ts';
import { makeFolder } from '../../files/repository.ts';
import { importIn, loaded } from './importing.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

const CONTAINS: Json = { type: 'contains', value: 'x' };
/** Every place that a config has, some of them in files of their own. */
const FILES: Readonly<Record<string, Json>> = {
  'promptfooconfig.yaml': {
    description: 'All places',
    env: { REGION: 'eu' },
    tags: { team: 'a' },
    metadata: { owner: { name: 'b' } },
    sharing: { appBaseUrl: 'https://app.example.com' },
    tracing: { enabled: false, otlp: { http: { enabled: false } } },
    commandLineOptions: { maxConcurrency: 1, tags: { a: 'b' } },
    evaluateOptions: { delay: 1 },
    derivedMetrics: [{ name: 'a', value: 'b' }],
    prompts: ['{{q}}', { id: 'file://p.txt', label: 'p' }],
    providers: ['openai:a', { id: 'openai:b', config: { temperature: 0, tools: [{ type: 'function' }] } }],
    assertionTemplates: { polite: { type: 'not-contains', value: 'damn' } },
    defaultTest: {
      vars: { l: 'de' },
      metadata: { a: { b: 'c' } },
      options: { provider: { id: 'openai:m', config: { temperature: 0 } } },
      assert: [{ $ref: '#/assertionTemplates/polite' }],
    },
    tests: [
      'file://tests.json',
      { path: 'file://more.yaml', config: { rows: 1 } },
      {
        description: 'One',
        vars: { q: 'a', messages: [{ role: 'user', content: { text: 'b' } }] },
        provider: { id: 'openai:c', config: { temperature: 0 } },
        providerOutput: 'x',
        options: { prefix: 'a' },
        metadata: { list: ['a'] },
        assert: [
          { ...CONTAINS, config: { a: { b: 'c' } } },
          { type: 'assert-set', metric: 'a', config: { a: 'b' }, assert: [{ type: 'is-json' }] },
          { type: 'llm-rubric', value: 'Polite?', provider: { id: 'openai:m', config: { a: 'b' } } },
          { value: 'file://asserts.json' },
        ],
      },
      { vars: 'file://vars.json' },
    ],
    scenarios: [
      {
        description: 'S',
        config: [{ vars: { q: 'a' }, options: { prefix: 'b' }, metadata: { a: 'b' } }],
        tests: [{ vars: { l: 'fr' }, assert: [CONTAINS] }],
      },
    ],
  },
  'tests.json': [{ description: 'Named', vars: { q: 'b' }, metadata: { a: 'b' }, assert: [CONTAINS] }],
  'more.yaml': [{ q: 'row', __expected: 'contains: x' }],
  'asserts.json': [CONTAINS, { type: 'assert-set', assert: [CONTAINS] }],
  'vars.json': { q: 'c', list: [1, { a: 'b' }] },
};

const isMap = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Each map and list, but for what is a value of an assertion. */
function* containers(value: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  if (typeof value !== 'object' || value === null) return;
  yield { path, value };
  const entries: (readonly [string | number, Json])[] = isMap(value)
    ? Object.entries(value)
    : (value as readonly Json[]).map((item, index) => [index, item] as const);
  for (const [step, inner] of entries) if (step !== 'value') yield* containers(inner, [...path, step]);
}

function withInside(value: Json, path: Path, change: (at: Json) => Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((item: Json, index) => (index === step ? withInside(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [
      name,
      name === step ? withInside(inner as Json, rest, change) : (inner as Json),
    ]),
  );
}

const MARK = 'injected-';

interface Injected {
  readonly title: string;
  readonly file: string;
  readonly path: Path;
  readonly change: (at: Json) => Json;
}

/** What no config has that promptfoo reads as its author intended. */
const ASSERTION: Json = { type: 'contains', value: MARK };
const FIELDS: readonly (readonly [string, Json])[] = [
  ['assert', [ASSERTION]],
  ['asserts', [ASSERTION]],
  ['assertions', [{ type: 'no-type-that-is-known', value: MARK }]],
  ['defaultTests', { assert: [ASSERTION] }],
  ['defaultTest', { assert: [ASSERTION] }],
  ['tests', [{ assert: [ASSERTION] }]],
  ['checks', { deep: [{ deeper: ASSERTION }] }],
  ['__expected', `equals: ${MARK}`],
];

/** Each place gets some of the fields, each field stands in many places; all of them in all with `npm run soak`. */
const EACH = sized(3, 1);

function* injections(): Generator<Injected> {
  for (const [file, root] of Object.entries(FILES)) {
    for (const [count, { path, value }] of [...containers(root)].entries()) {
      const title = `${file} ${path.join('.')}`;
      if (!isMap(value)) {
        const change = (at: Json) => [...(at as readonly Json[]), ASSERTION];
        yield { title: `${title}: an assertion as an item`, file, path, change };
        continue;
      }
      for (const [index, [name, field]] of FIELDS.entries()) {
        if (Object.hasOwn(value, name) || index % EACH !== count % EACH) continue;
        const change = (at: Json) => ({ ...(at as object), [name]: field });
        yield { title: `${title}: ${name}`, file, path, change };
      }
    }
  }
}

const textOf = (value: Json): string => JSON.stringify(value, null, 1);
const filesWith = ({ file, path, change }: Injected) =>
  Object.fromEntries(
    Object.entries(FILES).map(([name, value]) => [
      name,
      textOf(name === file ? withInside(value, path, change) : value),
    ]),
  );

/** The lines that only the changed text has. */
function newLines(before: string, after: string): { from: number; to: number } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let from = 0;
  while (from < now.length && old[from] === now[from]) from++;
  let [end, oldEnd] = [now.length, old.length];
  while (end > from && now[end - 1] === old[oldEnd - 1]) [end, oldEnd] = [end - 1, oldEnd - 1];
  return { from: from + 1, to: end };
}

/** Whether the import of a config reports what was put into it: in variables, as data, a note is enough. */
async function isToldOrMapped(one: Injected): Promise<boolean> {
  const files = filesWith(one);
  const { imported, messages } = await importIn(makeFolder(files), 'promptfooconfig.yaml', 'openai/gpt-5');
  if (imported === undefined) return messages.some((line) => line.startsWith(`${one.file}:`));
  const lines = newLines(textOf(FILES[one.file]!), files[one.file]!);
  const { missing, unread, notes } = imported.report;
  const isData = one.file === 'vars.json' || one.path.includes('vars');
  const isTold = [...missing.flatMap(({ places }) => places), ...unread, ...(isData ? notes : [])].some(
    ({ file, line }) => file === one.file && line >= lines.from && line <= lines.to,
  );
  return isTold || JSON.stringify([imported.cases, imported.scorers]).includes(MARK);
}

async function droppedOf(all: readonly Injected[]): Promise<string[]> {
  const dropped: string[] = [];
  for (const one of all) if (!(await isToldOrMapped(one))) dropped.push(one.title);
  return dropped;
}

test('an assertion is mapped or reported, wherever in a config it is put', async () => {
  const all = [...injections()];
  expect(all.length).toBeGreaterThan(sized(100, 300));
  expect(await droppedOf(all)).toEqual([]);
});

/** Any name may stand below these. */
const FREE = [
  'env',
  'tags',
  'metadata',
  'sharing',
  'tracing',
  'derivedMetrics',
  'prompts',
  'providers',
  'provider',
  'vars',
  'config',
  'assertionTemplates',
];

test('a field that promptfoo does not have is reported, wherever tests and assertions stand', async () => {
  const all = Object.entries(FILES).flatMap(([file, root]) =>
    [...containers(root)]
      .filter(({ path, value }) => isMap(value) && !path.some((step) => FREE.includes(String(step))))
      .map(({ path }) => ({
        title: `${file} ${path.join('.')}`,
        file,
        path,
        change: (at: Json) => ({ ...(at as object), treshhold: 1 }),
      })),
  );
  const opened = all.filter(({ file }) => !['vars.json', 'more.yaml'].includes(file));
  expect(opened.length).toBeGreaterThan(15);
  expect(await droppedOf(opened)).toEqual([]);
});

const reportOf = async (config: unknown, files: Readonly<Record<string, string>> = {}) =>
  (await loaded(config, files)).report;
const FINE = { assert: [{ type: 'is-json' }] };
const unreadMessages = ({ unread }: { unread: readonly { message: string }[] }) =>
  unread.map(({ message }) => message);

test('a field that is nearly another names it', async () => {
  const report = await reportOf({
    defaultTests: FINE,
    tests: [
      { ...FINE, asserts: [{ type: 'foo' }], treshold: 1 },
      { assert: [{ type: 'is-json', wieght: 0 }] },
    ],
  });
  expect(unreadMessages(report)).toEqual([
    '`defaultTests` is not a field here: did you mean defaultTest?',
    '`asserts` is not a field here: did you mean assert?',
    '`treshold` is not a field here: did you mean threshold?',
    '`wieght` is not a field here: did you mean weight?',
  ]);
  expect(report).toMatchObject({ assertions: 4, mapped: 2, not_mapped: 2 });
});

test('what gives tests or assertions without a file is not read, and what changes results is a note', async () => {
  const report = await reportOf({
    tests: [{ ...FINE, options: { repeat: 3 } }],
    redteam: { plugins: ['pii'] },
    plugins: ['pii'],
    strategies: ['base64'],
    extensions: ['file://hook.js:all'],
    commandLineOptions: {
      assertions: 'asserts.yaml',
      tests: 'tests.yaml',
      modelOutputs: 'o.json',
      repeat: 2,
    },
    evaluateOptions: { repeat: 2, timeoutMs: 5, delay: 1 },
    nunjucksFilters: { a: 'file://a.js' },
  });
  expect(report.unread.map(({ message }) => /`(\w+)` is not imported/.exec(message)?.[1])).toEqual([
    'redteam',
    'plugins',
    'strategies',
    'extensions',
    'assertions',
    'tests',
    'modelOutputs',
  ]);
  expect(report.notes.map(({ message }) => /`(\w+)`/.exec(message)?.[1])).toEqual([
    'nunjucksFilters',
    'repeat',
    'repeat',
    'timeoutMs',
    'repeat',
  ]);
});

test('a template that something refers to is read there, and one that nothing refers to is not mapped', async () => {
  const report = await reportOf(`
x-shared: &shared { type: not-contains, value: damn }
x-list: &list [{ type: is-json }]
x-text: &text yes
assertionTemplates:
  used: { type: contains, value: a }
  unused: { type: contains, value: b }
x-unused: { type: equals, value: c }
tests:
  - assert: [*shared, { <<: *shared, value: hell }, { $ref: '#/assertionTemplates/used' }, { type: equals, value: *text }]
  - assert: *list
`);
  expect(report).toMatchObject({ mapped: 5, not_mapped: 2 });
  expect(report.missing.map(({ reason, places }) => [reason, places[0]?.line])).toEqual([
    ['is below `assertionTemplates`, and nothing refers to it', 7],
    ['is below `x-unused`, which is not a field there', 8],
  ]);
  expect(unreadMessages(report)).toEqual(['`x-unused` is not a field here']);
});

test('names and remarks of tests and assertions are nothing to report', async () => {
  const remarks = { id: 'a', name: 'b', label: 'c', comment: 'd', notes: ['e'], tags: ['f'], title: 'g' };
  const assert = [{ ...remarks, type: 'is-json', description: 'h' }];
  expect(await reportOf({ tests: [{ ...remarks, assert }] })).toMatchObject({ mapped: 1, unread: [] });
});

test('default assertions stay where only the defaults disable them, and a scenario without tests is one', async () => {
  const report = await reportOf({
    defaultTest: { ...FINE, options: { disableDefaultAsserts: true } },
    tests: [{ vars: { q: 'a' } }],
    scenarios: [{ config: [FINE], tests: null }, { tests: [FINE] }],
  });
  expect(report.mapped).toBe(2);
  expect(unreadMessages(report)).toEqual(['a scenario without sets of variables in `config` has no tests']);
});

test('a list or a text where a map of fields belongs is not read, and an empty one is nothing', async () => {
  const report = await reportOf(
    { defaultTest: 'file://default.json', tests: [{ ...FINE, options: 'transform' }], evaluateOptions: [1] },
    { 'default.json': JSON.stringify([FINE]) },
  );
  expect(report).toMatchObject({ mapped: 1, not_mapped: 1 });
  expect(report.unread.map(({ file, message }) => [file, message])).toEqual([
    ['promptfooconfig.yaml', 'is no map of fields'],
    ['default.json', 'is no map of fields'],
    ['promptfooconfig.yaml', 'is no map of fields'],
  ]);
  const empty = { extensions: [], redteam: {}, plugins: null, asserts: [] };
  expect(await reportOf({ tests: [FINE], ...empty })).toMatchObject({ unread: [], notes: [] });
});
