import { expect, test } from '@jest/globals';
import { sentDefinition } from '../../../../clients/files/resolve/sentDefinition.ts';
import type { Definition } from '../../../../shared/contracts/definitions.ts';
import { makeRepository, readIn } from '../repository.ts';
import { pullInto } from './pulling.ts';

const FILES = {
  'evals/s.suite.yaml': `# What support says.
version: 1
suite: s     # the slug
pass_threshold:   0.9


defaults: {threshold: 0.7}
scorers:
    has: { type: contains, config: { values: ["30 days"] } } # the bar
    judge:
        type: llm_judge
        config:
            _provider: openai
            rubric: file://rubric.md
cases:
# the first
-   key: a
    input: {question: 'How long?',
            language: en}
    scorer: has
    weight: 2 # twice

-   {key: b, input: {}, scorer: judge, expected: file://shared.txt}
-   {key: c, input: {}, scorer: has, expected: file://shared.txt}
-   {key: d, input: file://in.json, scorer: has, expected: file://own.txt}
- file://more.jsonl
- file://list.yaml
`,
  'evals/rubric.md': 'Is it polite?\n',
  'evals/shared.txt': 'shared',
  'evals/own.txt': 'own',
  'evals/in.json': '{\n    "a": 1\n}\n',
  'evals/more.jsonl':
    '{"key": "e",  "input": {}, "scorer": "has"}\n\n{"key":"f","input":{},"scorer":"has"}\n',
  'evals/list.yaml':
    '# more\n- { key: g, input: {}, scorer: has } # g\n- { key: h, input: {}, scorer: has }\n',
};

interface Changing {
  pass_threshold: number;
  scorers: Record<string, { config: Record<string, unknown> }>;
  cases: Record<string, unknown>[];
}

const at = <T>(list: readonly T[], index: number): T => list[index] as T;

/** What the service answers after these files were pushed and then changed there. */
async function changedFrom(folder: string, change: (definition: Changing) => void): Promise<Definition> {
  const { suites, messages } = await readIn(folder);
  expect(messages).toEqual([]);
  const definition = JSON.parse(JSON.stringify(suites.map(sentDefinition)[0]));
  change(definition);
  return definition;
}

test('what was pushed and not changed since leaves every file as it is', async () => {
  const folder = makeRepository(FILES);
  const { texts, notes } = await pullInto(folder, await changedFrom(folder, () => undefined));
  expect({ texts, notes }).toEqual({ texts: {}, notes: [] });
});

test('only lines that say something else are written; comments, order and layout stay', async () => {
  const folder = makeRepository(FILES);
  const definition = await changedFrom(folder, (one) => {
    one.pass_threshold = 0.8;
    Object.assign(one.scorers.has?.config ?? {}, { values: ['14 days'] });
    at(one.cases, 0).weight = 3;
    // The default of the service, which is not that of the file.
    delete at(one.cases, 7).threshold;
  });
  const { texts, notes } = await pullInto(folder, definition);
  expect(notes).toEqual([]);
  expect(texts).toEqual({
    'evals/s.suite.yaml': FILES['evals/s.suite.yaml']
      .replace('pass_threshold:   0.9', 'pass_threshold: 0.8')
      .replace('30 days', '14 days')
      .replace('weight: 2', 'weight: 3'),
    'evals/list.yaml': FILES['evals/list.yaml'].replace(
      'key: h, input: {}, scorer: has }',
      'key: h, input: {}, scorer: has, threshold: 0.5 }',
    ),
  });
  expect((await pullInto(folder, definition)).texts).toEqual({});
});

test('a value goes back to its file, unless another place names that file', async () => {
  const folder = makeRepository(FILES);
  const definition = await changedFrom(folder, (one) => {
    Object.assign(one.scorers.judge?.config ?? {}, { rubric: 'Is it kind?' });
    at(one.cases, 1).expected = 'no more shared';
    Object.assign(at(one.cases, 3), { expected: 'file://text', input: { a: 2, b: [] } });
  });
  const { texts, notes } = await pullInto(folder, definition);
  expect(texts).toEqual({
    'evals/s.suite.yaml': FILES['evals/s.suite.yaml'].replace('file://shared.txt}', 'no more shared}'),
    'evals/rubric.md': 'Is it kind?',
    'evals/own.txt': 'file://text',
    'evals/in.json': '{\n    "a": 2,\n    "b": []\n}\n',
  });
  expect(notes).toEqual([
    'evals/s.suite.yaml:23: expected is here now, not in evals/shared.txt: other places name that file, too',
  ]);
});

test('files of cases keep theirs, new cases stand in the suite or between two others, and lines of JSONL stay', async () => {
  const folder = makeRepository(FILES);
  const definition = await changedFrom(folder, (one) => {
    const [a, b, c, d, e, f, g] = one.cases;
    Object.assign(f ?? {}, { weight: 5 });
    const fresh = (key: string) => ({ key, scorer: 'has', input: { n: 1 }, threshold: 0.7 });
    one.cases = [d, a, b, c, e, fresh('x'), f, fresh('y'), g].filter((entry) => entry !== undefined);
  });
  const { texts } = await pullInto(folder, definition);
  expect(texts['evals/more.jsonl']).toBe(
    '{"key": "e",  "input": {}, "scorer": "has"}\n{"key":"x","scorer":"has","input":{"n":1}}\n{"key":"f","input":{},"scorer":"has","weight":5}\n',
  );
  expect(texts['evals/list.yaml']).toBe('# more\n- { key: g, input: {}, scorer: has } # g\n');
  expect(texts['evals/s.suite.yaml']).toMatch(
    /- file:\/\/more\.jsonl\n *- *\{? ?key: y[\s\S]*- file:\/\/list\.yaml\n$/,
  );
  expect((await pullInto(folder, definition)).texts).toEqual({});
});

test('examples that a person added come to the file, and stay there as they are', async () => {
  const folder = makeRepository(FILES);
  const examples = { pass: [], fail: ['file://no-file', 'Two\nlines'] };
  const definition = await changedFrom(folder, (one) => {
    Object.assign(at(one.cases, 1), { examples });
  });
  expect((await pullInto(folder, definition)).messages).toEqual([]);
  const again = await changedFrom(folder, () => undefined);
  expect(at(again.cases, 1).examples).toEqual(examples);
  expect((await pullInto(folder, definition)).texts).toEqual({});
});

test('a case that its file cannot hold in the new order moves to the suite, and a note states it', async () => {
  const folder = makeRepository(FILES);
  const definition = await changedFrom(folder, (one) => {
    one.cases = [...one.cases.slice(5, 6), ...one.cases.slice(0, 5), ...one.cases.slice(6)];
  });
  const { notes, messages } = await pullInto(folder, definition);
  expect({ notes, messages }).toEqual({
    notes: ['evals/s.suite.yaml: the case "e" is here now, not in evals/more.jsonl'],
    messages: [],
  });
});

test('a scorer that another suite defines, too, changes there as well', async () => {
  const scorer = 'scorers: { x: { type: exact_match, config: {} } } # same\n';
  const suite = (slug: string) =>
    `version: 1\nsuite: ${slug}\n${scorer}cases: [{ key: a, input: {}, scorer: x }]\n`;
  const folder = makeRepository({ 'evals/s.suite.yaml': suite('s'), 'evals/t.suite.yaml': suite('t') });
  const definition = await changedFrom(folder, (one) => {
    Object.assign(one.scorers.x?.config ?? {}, { case_sensitive: false });
  });
  const { texts } = await pullInto(folder, definition);
  expect(Object.keys(texts)).toEqual(['evals/s.suite.yaml', 'evals/t.suite.yaml']);
  expect(texts['evals/t.suite.yaml']).toContain('case_sensitive: false } } } # same\n');
});

test('aliases and merge keys are read as what they mean, and a change never reaches another case', async () => {
  const folder = makeRepository({
    'evals/s.suite.yaml':
      'version: 1\nsuite: s\nscorers: { x: { type: exact_match, config: {} } }\ncases:\n' +
      '  - &a { key: a, input: &i { q: 1 }, scorer: x, weight: 2 }\n  - { <<: *a, key: b }\n  - { key: c, input: *i, scorer: x }\n',
  });
  const definition = await changedFrom(folder, (one) => {
    Object.assign(at(one.cases, 0), { input: { q: 2 }, weight: 3 });
  });
  expect((await pullInto(folder, definition)).messages).toEqual([]);
  const again = await changedFrom(folder, () => undefined);
  expect(again).toEqual(definition);
});

test.each([
  [
    'a case whose scorer was deleted',
    (one: Changing) => Object.assign(at(one.cases, 0), { scorer: null }),
    /whose scorer was deleted/,
  ],
  [
    'the name __proto__, which no YAML says',
    (one: Changing) => Object.assign(at(one.cases, 0), { input: JSON.parse('{"__proto__": 1}') }),
    /__proto__ is not the name of a field/,
  ],
  [
    'half a character',
    (one: Changing) => Object.assign(at(one.cases, 0), { expected: '\ud800' }),
    /half a character|another text/,
  ],
])('%s is refused, and nothing is to be written', async (_, change, message) => {
  const folder = makeRepository(FILES);
  const definition = await changedFrom(folder, change);
  const { texts, messages } = await pullInto(folder, definition);
  expect(texts).toEqual({});
  expect(messages.join('\n')).toMatch(message);
});

test('keys of restored cases, which are ids, are pulled and read as they are', async () => {
  const id = '0b9c1c1e-1f6c-4d8e-9b0a-0a4f5b7c2d11';
  const definition = {
    version: 1,
    suite: 's',
    scorers: { [id]: { type: 'exact_match', config: {} } },
    cases: [{ key: id, scorer: id, input: {} }],
  } as Definition;
  const folder = makeRepository();
  expect((await pullInto(folder, definition)).messages).toEqual([]);
  expect(await changedFrom(folder, () => undefined)).toEqual(definition);
});

test('a file with the line ends of Windows keeps them', async () => {
  const text =
    'version: 1\r\nsuite: s\r\nscorers: { x: { type: exact_match, config: {} } }\r\ncases: # all\r\n  - { key: a, input: {}, scorer: x }\r\n';
  const folder = makeRepository({ 'evals/s.suite.yaml': text });
  const definition = await changedFrom(folder, (one) => Object.assign(one, { pass_threshold: 0.5 }));
  const { texts } = await pullInto(folder, definition);
  expect(texts['evals/s.suite.yaml']).toBe(`${text}pass_threshold: 0.5\r\n`);
});
