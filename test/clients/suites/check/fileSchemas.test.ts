import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type * as z from 'zod';
import { PAGE_FILES } from '../../../../clients/pages/files.ts';
import { jsonSchemas } from '../../../../clients/suites/check/editorSchemas.ts';
import {
  configFileSchema,
  scorersFileSchema,
  suiteFileSchema,
} from '../../../../clients/suites/check/fileSchemas.ts';
import { readConfig } from '../../../../clients/suites/config/configFile.ts';
import { Repository } from '../../../../clients/suites/files/repository.ts';
import { Problems } from '../../../../clients/suites/read/problems.ts';
import { temporaryFolder } from '../../../support/service.ts';

const ajv = new Ajv2020({ strict: false, formats: { uri: true, 'date-time': true } });
const printed = new Map(jsonSchemas().map(({ name, schema }) => [name, ajv.compile(schema)]));

test('each schema is served under /schema', () => {
  const paths = PAGE_FILES.map((file) => file.path).filter((served) => served.startsWith('/schema/'));
  expect(paths).toEqual([...printed.keys()].map((name) => `/schema/${name}`));
});

const SUITE = {
  version: 1,
  suite: 'returns',
  name: 'Returns',
  pass_threshold: 0.9,
  gates: { min_judged_cases: 1, tags: [{ tag: 't', pass_threshold: 1 }] },
  defaults: { threshold: 0.5, scorer: 'eq', tags: ['t'] },
  scorers: {
    eq: { type: 'exact_match', config: {} },
    has: { type: 'contains', config: { values: ['a'], mode: 'any' }, dual_sided: false },
    form: { type: 'json_schema', config: { schema: 'file://form.json' } },
    inline: { type: 'json_schema', config: { schema: { type: 'object' } } },
    judge: { type: 'llm_judge', config: { rubric: 'file://a.md', _provider: 'openai', scale: [0, 1] } },
    path: { type: 'json_path', config: { assertions: [{ path: '$', op: 'exists' }] } },
  },
  cases: [
    { key: 'a', input: {}, expected: [1], scorer: 'eq', must_pass: true, tags: ['t'], sample_count: 2 },
    { key: 'b', input: 'file://in.json', advisory: null, is_active: false, weight: 2 },
    {
      key: 'c',
      input: {},
      advisory: { owner: 'me', reason: 'a new case', expires_at: '2026-11-30T12:00:00Z' },
    },
    'file://more.yaml',
  ],
};
const CONFIG = {
  version: 1,
  url: 'https://gate.example.com',
  organisation: 'o',
  project: 'p',
  suites: ['a'],
  scorers: [],
};
const SCORERS = { version: 1, scorers: SUITE.scorers };

const FILES: readonly [string, z.ZodType, object][] = [
  ['evalgate.v1.json', configFileSchema, CONFIG],
  ['suite.v1.json', suiteFileSchema(), SUITE],
  ['scorers.v1.json', scorersFileSchema(), SCORERS],
];

/** What no JSON Schema says: see the refinements of the contracts. Such a value is not drawn. */
const VALUES: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    1,
    2,
    0.5,
    -1,
    1e9,
    '',
    'a',
    'A B',
    'file://x',
    [],
    ['a'],
    {},
    { a: 1 },
    [{}],
    'eq',
    'openai',
  ],
  ...['exact_match', 'contains', 'regex'],
];

/** The paths of all parts. */
function* pathsOf(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, name]);
}

function changed(
  document: object,
  path: readonly string[],
  change: (parent: object, name: string) => void,
): unknown {
  const copy = structuredClone(document);
  const parent = path.slice(0, -1).reduce((at, name) => (at as Record<string, object>)[name]!, copy);
  change(parent, path.at(-1)!);
  return copy;
}

const changesOf = (good: object) =>
  fc.tuple(
    fc.constantFrom(...[...pathsOf(good)].filter((path) => path.length > 0)),
    fc.oneof(
      fc.constant((parent: object, field: string) => void Reflect.deleteProperty(parent, field)),
      fc.constant((parent: object, field: string) => Object.assign(parent, { [`${field}x`]: 1 })),
      fc.constantFrom(...VALUES).map((value) => (parent: object, field: string) => {
        Object.assign(parent, { [field]: value });
      }),
    ),
  );

describe.each(FILES)('%s', (name, schema, good) => {
  const changes = changesOf(good);

  test('accepts a file with every field', () => {
    expect(schema.safeParse(good).error).toBeUndefined();
    expect([printed.get(name)!(good), printed.get(name)!.errors]).toEqual([true, null]);
  });

  test('accepts what is read, and marks what is refused for its form', () => {
    fc.assert(
      fc.property(changes, ([path, change]) => {
        const document = changed(good, path, change);
        const { error } = schema.safeParse(document);
        const isFormWrong = error !== undefined && !error.issues.every((issue) => isSaidByCode(issue));
        if (error === undefined || isFormWrong) {
          expect({ document, isAccepted: printed.get(name)!(document) }).toEqual({
            document,
            isAccepted: !isFormWrong,
          });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

test('evalgate.yaml is read exactly where its schema takes it', () => {
  const folder = temporaryFolder();
  const repository = new Repository(folder);
  const isRead = (document: unknown): boolean => {
    writeFileSync(path.join(folder, 'evalgate.yaml'), JSON.stringify(document));
    const problems = new Problems();
    const read = readConfig(repository, problems);
    expect(problems.hasErrors).toBe(read === undefined);
    return read !== undefined;
  };
  const same = (document: unknown) =>
    expect({ document, isRead: isRead(document) }).toEqual({
      document,
      isRead: configFileSchema.safeParse(document).success,
    });
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 600 }),
    fc.stringMatching(/^[a-z0-9_-]{90,110}$/),
    fc.webUrl(),
    fc.constantFrom('http://[::1]:8', 'https:', 'https:x', 'ftp://x', 'a b', '-a', ' https://x', 'HTTPS://X'),
  );
  const field = fc.constantFrom('url', 'organisation', 'project', 'suites', 'scorers');
  const value = fc.oneof(
    text,
    fc.array(text, { maxLength: 3 }),
    fc.array(fc.constant('a'), { maxLength: 120 }),
  );
  fc.assert(
    fc.property(changesOf(CONFIG), ([at, change]) => same(changed(CONFIG, at, change))),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(field, value, (name, given) => same({ ...CONFIG, [name]: given })),
    { numRuns: 500 },
  );
  for (const document of [null, [], 'a', 1, {}, { version: 1 }]) same(document);
});

/** Refinements, which are code, and addresses, of which JSON Schema knows the form only. */
function isSaidByCode(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union')
    return issue.errors.length > 0 && issue.errors.some((all) => all.every(isSaidByCode));
  return (
    issue.code === 'custom' || (issue.code === 'invalid_format' && ['url', 'datetime'].includes(issue.format))
  );
}
