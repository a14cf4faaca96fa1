import { describe, expect, test } from '@jest/globals';
import { read, SCORER, suiteOf } from '../repository.ts';

const readSuite = (...lines: readonly string[]) => read({ 'evals/s.suite.yaml': suiteOf(...lines) });
const messagesOf = async (...lines: readonly string[]) => (await readSuite(...lines)).messages;

describe('a suite', () => {
  test('has the defaults of the API for what its files do not say', async () => {
    const { suites, messages } = await readSuite(SCORER, 'cases: [{ key: a, input: {}, scorer: eq }]');
    expect(messages).toEqual([]);
    expect(suites).toEqual([
      {
        file: 'evals/s.suite.yaml',
        suite: {
          slug: 's',
          name: 's',
          description: null,
          pass_threshold: 1,
          gates: {},
          keep_outputs: 'failed',
          show_expected: false,
          show_inputs: true,
          show_results: true,
        },
        scorers: new Map([
          [
            'eq',
            {
              key: 'eq',
              name: 'eq',
              type: 'exact_match',
              config: { case_sensitive: true },
              dual_sided: false,
              precision_threshold: null,
              recall_threshold: null,
            },
          ],
        ]),
        cases: [
          {
            key: 'a',
            name: 'a',
            description: null,
            input: {},
            expected: null,
            examples: { pass: [], fail: [] },
            scorer: 'eq',
            threshold: 0.5,
            weight: 1,
            is_active: true,
            tags: [],
            must_pass: false,
            advisory: null,
            sample_count: 1,
            sample_pass_rate: 1,
          },
        ],
      },
    ]);
  });

  test('has every field that the API takes', async () => {
    const { suites, messages } = await readSuite(
      'name: " Returns "',
      'description: Long',
      'pass_threshold: 0.9',
      'gates:',
      '  { min_judged_cases: 1, min_lower_bound: 0.1, tags: [{ tag: t, pass_threshold: 1 }],',
      '    max_newly_failing: 2, regression: { alpha: 0.01 }, min_comparable: 0.5 }',
      'keep_outputs: all',
      'show_expected: true',
      'show_inputs: false',
      'show_results: false',
      'defaults: { scorer: eq, threshold: 0.7, weight: 2, tags: [t], sample_count: 3, sample_pass_rate: 0.5 }',
      'scorers:',
      '  eq: { name: Equal, type: exact_match, config: {}, dual_sided: true, precision_threshold: 0.5, recall_threshold: 1 }',
      'cases:',
      '  - { key: a, name: First, description: d, input: {}, expected: no, must_pass: true, is_active: false }',
      '  - { key: b, input: {}, weight: 0, tags: [], sample_count: 1, advisory:',
      '      { owner: me, reason: a new question, expires_at: 2026-11-30T12:00:00+02:00 } }',
    );
    expect(messages).toEqual([]);
    const { suite, scorers, cases } = suites[0]!;
    expect(suite).toEqual({
      slug: 's',
      name: 'Returns',
      description: 'Long',
      pass_threshold: 0.9,
      gates: {
        min_judged_cases: 1,
        min_lower_bound: 0.1,
        tags: [{ tag: 't', pass_threshold: 1, min_judged_cases: 1 }],
        max_newly_failing: 2,
        regression: { alpha: 0.01, min_drop: 0.02 },
        min_comparable: 0.5,
      },
      keep_outputs: 'all',
      show_expected: true,
      show_inputs: false,
      show_results: false,
    });
    expect(scorers.get('eq')).toMatchObject({ name: 'Equal', dual_sided: true, precision_threshold: 0.5 });
    expect(cases[0]).toMatchObject({
      name: 'First',
      description: 'd',
      expected: 'no',
      must_pass: true,
      is_active: false,
      scorer: 'eq',
      threshold: 0.7,
      weight: 2,
      tags: ['t'],
      sample_count: 3,
      sample_pass_rate: 0.5,
    });
    expect(cases[1]).toMatchObject({ weight: 0, tags: [], sample_count: 1 });
    expect(cases[1]?.advisory?.expires_at).toBe('2026-11-30T10:00:00.000Z');
  });

  test('keeps the order of its cases over all of its files', async () => {
    const { suites } = await read({
      'evals/s.suite.yaml': suiteOf(
        SCORER,
        'defaults: { scorer: eq }',
        'cases: [{ key: z, input: {} }, file://more.yaml, { key: a, input: {} }]',
      ),
      'evals/more.yaml': '- { key: y, input: {} }\n- { key: b, input: {} }\n',
    });
    expect(suites[0]?.cases.map(({ key }) => key)).toEqual(['z', 'y', 'b', 'a']);
  });
});

describe('an error with its place is', () => {
  test('every mistake of a file, not only the first', async () => {
    expect(
      await messagesOf(
        'pass_treshold: 0.9',
        'gates: { min_judged: 3, tags: [{ tag: a, treshold: 1 }] }',
        'scorers:',
        '  x: { type: contains, config: { value: [a] } }',
        '  y: { type: contain, config: {} }',
        '  z: { type: exact_match }',
        '  Bad Key: { type: exact_match, config: {} }',
        'cases:',
        '  - { key: a, input: {}, scorer: z, treshold: 1 }',
        '  - { key: b, input: {}, scorer: none, threshold: 2 }',
        '  - { input: {}, scorer: x }',
        '  - 3',
      ),
    ).toEqual([
      'evals/s.suite.yaml:3:1: error: pass_treshold is not a field here: did you mean pass_threshold?',
      expect.stringMatching(
        /:4:10: error: gates\.min_judged is not a field here: .* use one of min_judged_cases, /,
      ),
      expect.stringMatching(/:4:32: error: gates\.tags\[0\]\.pass_threshold is missing: add it$/),
      expect.stringMatching(/:4:42: error: gates\.tags\[0\]\.treshold is not a field here: /),
      expect.stringMatching(/:6:32: error: scorers\.x\.config\.values is missing: add it$/),
      expect.stringMatching(
        /:6:34: error: scorers\.x\.config\.value is not a field here: did you mean values\?$/,
      ),
      expect.stringMatching(/:7:14: error: scorers\.y\.type must have one of these types: exact_match, /),
      expect.stringMatching(/:8:6: error: scorers\.z\.config is missing: add it$/),
      expect.stringMatching(/:9:12: error: scorers\.Bad Key: only lower-case letters/),
      expect.stringMatching(
        /:11:37: error: cases\[0\]\.treshold is not a field here: did you mean threshold\?$/,
      ),
      expect.stringMatching(/:12:51: error: cases\[1\]\.threshold: Too big/),
      expect.stringMatching(/:13:5: error: cases\[2\]\.key is missing: add it$/),
      expect.stringMatching(/:14:5: error: cases\[3\]: expected object, received number$/),
    ]);
  });

  test.each([
    ['contains', '{ values: [] }', /config\.values: /],
    ['regex', '{ pattern: "(" }', /config\.pattern: Invalid regular expression/],
    ['json_schema', '{ schema: { type: objct } }', /config\.schema/],
    ['llm_judge', '{ rubric: " ", _provider: openai }', /config\.rubric: the rubric is empty/],
    ['regex', '{ pattern: a, should_match: false }, dual_sided: true', /config\.should_match: /],
    ['json_path', '{ assertions: [{ path: $, op: exists }] }, dual_sided: true', /dual_sided: /],
    ['exact_match', '{}, recall_threshold: 1', /recall_threshold: is for dual-sided scorers only/],
  ])('a %s scorer that the service would refuse: %s', async (type, config, message) => {
    const [line, ...others] = await messagesOf('scorers:', `  x: { type: ${type}, config: ${config} }`);
    expect(line).toMatch(message);
    expect(line).toMatch(/^evals\/s\.suite\.yaml:4:\d+: error: scorers\.x\./);
    for (const other of others) expect(other).toMatch(message);
  });

  test('a key that has two meanings, with both places', async () => {
    const suite = (slug: string, value: string) =>
      `version: 1\nsuite: ${slug}\nscorers: { x: { type: contains, config: { values: [${value}] } } }\n` +
      'cases: [{ key: a, input: {}, scorer: x }, { key: b, input: {}, scorer: x }]\n';
    const same = await read({ 'evals/a.suite.yaml': suite('a', 'v'), 'evals/b.suite.yaml': suite('b', 'v') });
    expect(same.messages).toEqual([]);
    const { messages } = await read({
      'evals/a.suite.yaml': suite('a', 'v'),
      'evals/b.suite.yaml': suite('b', 'w').replace('key: b', 'key: a'),
      'evals/c.suite.yaml': suite('a', 'v'),
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /^evals\/b\.suite\.yaml:3:12: error: the scorer "x" is another one at evals\/a\.suite\.yaml:3:12/,
      ),
      expect.stringMatching(
        /^evals\/b\.suite\.yaml:4:50: error: the case "a" is at evals\/b\.suite\.yaml:4:16 already/,
      ),
      expect.stringMatching(
        /^evals\/c\.suite\.yaml:2:8: error: the suite "a" is at evals\/a\.suite\.yaml:2:8 already/,
      ),
    ]);
  });

  test('a scorer of another suite, which a suite cannot use', async () => {
    const { messages } = await read({
      'evals/a.suite.yaml': suiteOf(SCORER, 'cases: [{ key: a, input: {}, scorer: eq }]'),
      'evals/b.suite.yaml':
        'version: 1\nsuite: b\ncases: [{ key: a, input: {}, scorer: eq }, { key: b, input: {} }]\n',
    });
    expect(messages).toEqual([
      expect.stringMatching(
        /^evals\/b\.suite\.yaml:3:38: .* write "eq" in the file of shared scorers, since evals\/a\.suite\.yaml/,
      ),
      expect.stringMatching(/^evals\/b\.suite\.yaml:3:44: error: cases\[1\]\.scorer is missing/),
    ]);
  });

  test('an advisory that the service would refuse, and one that has ended', async () => {
    const advisory = (expires: string) =>
      `advisory: { owner: o, reason: long enough, expires_at: ${expires} }`;
    const one = (key: string, ...fields: readonly string[]) =>
      `  - { key: ${key}, input: {}, scorer: eq, ${fields.join(', ')} }`;
    expect(
      await messagesOf(
        SCORER,
        'cases:',
        one('a', 'must_pass: true', advisory('2026-12-01T00:00:00Z')),
        one('b', advisory('2027-12-01T00:00:00Z')),
        one('c', advisory('2026-11-01T00:00:00Z')),
        one('d', advisory('soon')),
        one('e', advisory('2026-12-01T00:00:00Z').replace('owner', 'ownr')),
      ),
    ).toEqual([
      expect.stringMatching(/:5:\d+: error: cases\[0\]\.advisory cannot be set beside must_pass/),
      expect.stringMatching(/:6:\d+: error: cases\[1\]\.advisory\.expires_at is too late: at most 90 days/),
      expect.stringMatching(/:7:\d+: warning: cases\[2\]\.advisory\.expires_at has passed/),
      expect.stringMatching(/:8:\d+: error: cases\[3\]\.advisory\.expires_at must be a time/),
      expect.stringMatching(/:9:\d+: error: cases\[4\]\.advisory\.owner is missing/),
      expect.stringMatching(
        /:9:\d+: error: cases\[4\]\.advisory\.ownr is not a field here: did you mean owner/,
      ),
    ]);
  });

  test('a document that is too large for the service, at the reference to it', async () => {
    const { messages } = await read({
      'evals/s.suite.yaml': suiteOf(
        SCORER,
        'cases: [{ key: a, scorer: eq, input: {}, expected: file://x.txt }]',
      ),
      'evals/x.txt': 'x'.repeat(300_000),
    });
    expect(messages).toEqual([
      expect.stringMatching(/:4:\d+: error: cases\[0\]\.expected: at most 256 kB of JSON$/),
    ]);
  });

  test('a suite of small files that make more than a request can hold', async () => {
    const cases = Array.from(
      { length: 26 },
      (_, n) => `  - { key: c${n}, scorer: eq, input: {}, expected: file://x.txt }`,
    );
    const { messages } = await read({
      'evals/s.suite.yaml': suiteOf(SCORER, 'cases:', ...cases),
      'evals/x.txt': 'x'.repeat(250_000),
    });
    expect(messages).toEqual([
      expect.stringMatching(/:5:\d+: error: is larger than 6 MB, which is the most that can be sent/),
    ]);
  });

  test('a suite that takes more outputs than a run can send, or more cases than a suite can have', async () => {
    const outputs = Array.from({ length: 201 }, (_, n) => `{ key: c${n}, input: {}, sample_count: 100 }`);
    expect(await messagesOf(SCORER, 'defaults: { scorer: eq }', `cases: [${outputs.join(', ')}]`)).toEqual([
      expect.stringMatching(
        /:5:8: error: takes 20100 outputs, and one run sends at most 20000: lower sample_count$/,
      ),
    ]);
    const cases = Array.from({ length: 10_001 }, (_, n) => `  - { key: c${n}, input: {} }`);
    expect(await messagesOf(SCORER, 'defaults: { scorer: eq }', 'cases:', ...cases)).toEqual([
      expect.stringMatching(/:6:3: error: has 10001 cases: at most 10000, so split the suite$/),
    ]);
  });
});

const numbered = (count: number, fields = '') =>
  Array.from(
    { length: count },
    (_, n) => `  - { key: c${n}, input: { n: ${n} }, expected: "${n}"${fields} }`,
  );

test('a suite of 10,000 cases is read', async () => {
  const { suites, messages } = await readSuite(
    SCORER,
    'defaults: { scorer: eq }',
    'cases:',
    ...numbered(10_000),
  );
  expect({ messages, count: suites[0]?.cases.length }).toEqual({ messages: [], count: 10_000 });
  expect(suites[0]?.cases[9_999]).toMatchObject({ key: 'c9999', expected: '9999' });
});

test('at most a thousand mistakes are reported', async () => {
  const messages = await messagesOf(
    SCORER,
    'cases:',
    ...numbered(600, ', scorer: eq, wieght: 1, treshold: 1'),
  );
  expect(messages).toHaveLength(1_000);
});

test.each(['', '3', '[]', 'null', '"text"'])('a file that holds %j is refused', async (text) => {
  const { messages } = await read({ 'evals/s.suite.yaml': text });
  expect(messages[0]).toMatch(/^evals\/s\.suite\.yaml:1:1: error: the file: expected object/);
});
