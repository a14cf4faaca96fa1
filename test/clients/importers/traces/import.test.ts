import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { defineSuites } from '../../../../clients/files/resolve/definition.ts';
import { loadFiles } from '../../../../clients/files/resolve/loadFiles.ts';
import { tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import { suiteText } from '../../../../clients/importers/imports/suiteText.ts';
import { importTraces, type TracesOptions } from '../../../../clients/importers/traces/import.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { asAnthropic, asChat, asOwn, asResponses } from '../../../shared/scoring/trace/forms.ts';
import { sized } from '../../../support/soak.ts';
import { makeFolder, NOW, writeFiles } from '../../files/repository.ts';
import { lineOf, ROOT, span } from '../outputs/otlp.ts';

const OPTIONS: TracesOptions = {
  file: 'traces.jsonl',
  slug: 'traces',
  key: undefined,
  scorer: 'calls',
  comparesProse: false,
};

async function made(text: string, options: Partial<TracesOptions> = {}) {
  const problems = new Problems();
  const imported = await importTraces(text, { ...OPTIONS, ...options }, problems);
  if (imported === undefined) throw new Error(problems.sorted().map(problemLine).join('\n'));
  const { cases, outputs, scorers, report, warning } = imported;
  return {
    imported,
    warning,
    cases,
    outputs: outputs.map((output) => ({ ...output, case: String(output.case) }) as OutputItem),
    scorers,
    missing: report.missing.map(({ reason, places }) => [reason, places[0]?.line]),
    differences: report.differences.flatMap(({ reason, places }) => places.map(({ type }) => [type, reason])),
  };
}

const linesOf = (...items: readonly object[]): string => items.map((item) => JSON.stringify(item)).join('\n');
const call = (tool: string, members: unknown = {}, more: object = {}) => ({
  type: 'call',
  tool,
  arguments: members,
  ...more,
});
const asks = (text: string) => ({ type: 'message', role: 'user', text });
const traced = (...trace: readonly object[]) => ({ trace });

const folder = makeFolder();

/** Whether each case passes with the output that the import wrote for it, by way of the file of the suite. */
async function verdictOf({ imported, outputs }: Awaited<ReturnType<typeof made>>) {
  writeFiles(folder, { 'evals/traces.suite.yaml': suiteText(imported) });
  const problems = new Problems();
  const [suite] = await defineSuites(loadFiles(folder, problems)!, problems, NOW);
  expect(problems.sorted().filter(({ severity }) => severity === 'error')).toEqual([]);
  const tried = await tryLocally(suite!, { outputs }, { nowMs: NOW });
  return tried.outcome === 'verdict' ? tried.verdict : tried;
}

describe('a case expects the calls of its trace', () => {
  const FORM = {
    steps: [
      [{ tool: 'lookup', members: { order: 'A1' } }],
      [
        { tool: 'refund', members: { order: 'A1', amount: 40 } },
        { tool: 'log', members: {} },
      ],
    ],
    said: 'Done.',
  };
  const EXPECTED = [
    { tool: 'lookup', arguments: { order: 'A1' } },
    [
      { tool: 'refund', arguments: { order: 'A1', amount: 40 } },
      { tool: 'log', arguments: {} },
    ],
  ];
  test.each([
    ['our own form', { trace: [asks('Go.'), ...asOwn(FORM)] }],
    ['OpenAI chat', { messages: asChat(FORM) }],
    ['OpenAI Responses', { messages: asResponses(FORM) }],
    ['Anthropic', { messages: asAnthropic(FORM) }],
  ])('in %s', async (name, item) => {
    const { cases, scorers } = await made(linesOf({ case: 'a1', ...item }));
    expect(scorers).toEqual([
      { key: 'traces-trajectory', type: 'trajectory', config: { order: 'in_order' } },
    ]);
    const input = name === 'Anthropic' ? {} : { question: 'Go.' };
    expect(cases).toMatchObject([{ key: 'a1', input, expected: EXPECTED }]);
  });

  const tool = (name: string, members: object) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': name,
    'gen_ai.tool.call.arguments': JSON.stringify(members),
  });
  const asked = (...texts: readonly string[]) => ({
    'gen_ai.input.messages': JSON.stringify([
      { role: 'system', parts: [{ type: 'text', content: 'SYSTEM' }] },
      ...texts.map((content) => ({ role: 'user', parts: [{ type: 'text', content }] })),
    ]),
  });
  const spans = (root: object, id: string) =>
    lineOf(
      [
        span('root', [0, 100], { 'gen_ai.operation.name': 'invoke_agent', ...root }),
        span('root/a', [10, 20], tool('lookup', { order: id })),
        span('root/m', [1, 9], { 'gen_ai.operation.name': 'chat', ...asked(`Refund ${id}`, 'Now!') }),
        span('a/s', [11, 12], { 'gen_ai.operation.name': 'chat', ...asked('of an agent') }),
      ].map((one) => ({ ...one, traceId: id })),
    );

  test('in spans of OpenTelemetry, with the first text of the user as its question', async () => {
    const { cases } = await made(`${spans({}, 't1')}\n${spans({ 'evalgate.case': 'named' }, 't2')}`);
    expect(cases).toMatchObject([
      {
        key: 'refund-t1',
        name: 'Refund t1',
        input: { question: 'Refund t1' },
        expected: [{ tool: 'lookup', arguments: { order: 't1' } }],
      },
      { key: 'named', input: { question: 'Refund t2' } },
    ]);
    const byAttribute = await made(spans({ 'session.id': 'S 1' }, 't1'), { key: 'session.id' });
    expect(byAttribute.cases).toMatchObject([{ key: 's-1' }]);
    expect(JSON.stringify(byAttribute.imported)).not.toMatch(/SYSTEM|of an agent/);
  });

  test('and a trace for several cases is each of them', async () => {
    const root = span('root', [0, 100], { 'evalgate.case': ['a', 'b'] });
    const { cases } = await made(lineOf([{ ...ROOT, ...root }, span('root/a', [1, 2], tool('x', {}))]));
    expect(cases.map(({ key }) => key)).toEqual(['a', 'b']);
  });
});

describe('the input of a case', () => {
  test.each<[string, object, unknown]>([
    ['is that of its line', { input: { order: 1 }, ...traced(asks('Why?'), call('a')) }, { order: 1 }],
    [
      "is the user's first text",
      traced(asks(' '), asks('Why?'), asks('So?'), call('a')),
      { question: 'Why?' },
    ],
    ['is empty where there is neither', traced(call('a')), {}],
    [
      'has no other message',
      {
        messages: [
          { role: 'system', content: 'SYSTEM' },
          { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
          { role: 'assistant', content: 'So.' },
        ],
      },
      { question: 'Why?' },
    ],
  ])('%s', async (_, item, input) => {
    const { cases } = await made(linesOf(item));
    expect(cases.map((one) => one.input)).toEqual([input]);
    expect(JSON.stringify(cases)).not.toMatch(/SYSTEM|So\./);
  });
});

describe('members that no case compares are listed with their tools', () => {
  const NOTE = 'Dear customer,\nthank you.';
  test('prose, unless all is compared', async () => {
    const lines = linesOf(
      traced(call('mail', { to: 1, body: NOTE }), call('say', 'x'.repeat(81)), call('b', 'y')),
    );
    const { cases, differences } = await made(lines);
    expect(cases).toMatchObject([
      {
        expected: [
          { tool: 'mail', arguments_include: { to: 1 } },
          { tool: 'say' },
          { tool: 'b', arguments: 'y' },
        ],
      },
    ]);
    expect(differences).toEqual([
      ['mail.body', expect.stringContaining('prose')],
      ['say', expect.stringContaining('prose')],
    ]);
    const all = await made(lines, { comparesProse: true });
    expect(all.cases).toMatchObject([{ expected: [{ arguments: { to: 1, body: NOTE } }, {}, {}] }]);
    expect(all.differences).toEqual([]);
  });

  test('calls that failed and calls whose arguments are no JSON object', async () => {
    const torn = { id: '2', type: 'function', function: { name: 'torn', arguments: '{' } };
    const messages = [
      { role: 'assistant', tool_calls: [torn] },
      { role: 'assistant', content: 'Done.' },
    ];
    const found = await made(
      linesOf(traced(call('a', {}, { error: 'timeout' }), call('b')), { case: 'torn', messages }),
    );
    expect(found.cases).toMatchObject([{ expected: [{ tool: 'b' }] }, { expected: [] }]);
    expect(found.differences.map(([type]) => type)).toEqual(['a', 'torn']);
    expect(await verdictOf(found)).toMatchObject({ status: 'cleared' });
  });

  test('traces that are no case, by their line', async () => {
    const many = Array.from({ length: 101 }, (_, at) => call('a', {}, { step: at }));
    const wide = Array.from({ length: 9 }, () => call('a', {}, { step: 0 }));
    const lines = linesOf(
      { output: 'Done.' },
      { ...traced(call('a')), error: '429' },
      traced(...many),
      traced(...wide),
      traced(call('a*')),
      traced(asks('Why?'), call('a')),
      traced(asks('Why?'), call('a')),
    );
    expect((await made(lines)).missing).toEqual([
      ['has no trace', 1],
      ['ended with an error', 2],
      ['has 101 calls, and a case expects at most 100', 3],
      ['has 9 calls that were made at once, and a case expects at most 8', 4],
      ['calls a tool with * in its name', 5],
      ['repeats line 6', 7],
    ]);
  });
});

describe('keys', () => {
  const keysOf = async (items: readonly object[], options: Partial<TracesOptions> = {}) =>
    (await made(linesOf(...items), options)).cases.map(({ key }) => key);

  test('come from `case`, else from the field of --key, else from the question, else from all of it', async () => {
    const items = [
      { case: 'named', id: 7, ...traced(call('a')) },
      { id: 7, ...traced(asks('Why?'), call('b')) },
      traced(asks('Why not?'), call('c')),
      traced(call('d')),
    ];
    expect(await keysOf(items, { key: 'id' })).toEqual([
      'named',
      '7',
      'why-not',
      expect.stringMatching(/^trace-[0-9a-f]{8}$/),
    ]);
    await expect(made(linesOf(...items), { key: 'ident' })).rejects.toThrow('has no field ident for --key');
  });

  test('of traces with the same key and other calls all have a hash, whatever their order', async () => {
    const items = [call('a'), call('b'), call('a')].map((one) => ({ case: 'k', ...traced(one) }));
    const keys = await keysOf(items);
    expect(keys).toEqual([
      expect.stringMatching(/^k-[0-9a-f]{8}$/),
      expect.stringMatching(/^k-[0-9a-f]{8}$/),
    ]);
    expect((await keysOf(items.toReversed())).toSorted()).toEqual(keys.toSorted());
    const taken = [...items, { case: keys[0], ...traced(call('c')) }];
    expect((await made(linesOf(...taken))).missing).toContainEqual(['has the key of line 1', 4]);
  });

  test('are keys, whatever lines call them', async () => {
    const names = ['__proto__', 'constructor', 'x'.repeat(500), 'Ä ß', '../..', 'file://x', '\u0007'];
    const keys = await keysOf(names.map((name) => ({ case: name.slice(0, 200), ...traced(call('a')) })));
    for (const key of keys) expect(key).toMatch(/^[a-z0-9][a-z0-9_-]{0,99}$/);
    expect(new Set(keys).size).toBe(names.length);
  });
});

test('what looks like the key of a service is in no file of the import', async () => {
  const secret = `sk-${'a1B2'.repeat(8)}`;
  const found = await made(
    linesOf(
      traced(asks(`Use ${secret}`), call('a')),
      traced(
        asks('Why?'),
        call('a', { token: secret, order: 1, [secret]: 1 }, { result: { secret } }),
        call('b', secret, { error: secret }),
        { type: 'message', role: 'assistant', text: secret },
      ),
      { case: secret, ...traced(call('a')) },
      { input: { secret }, ...traced(call('a')) },
      { case: 'tool', ...traced(call(secret)) },
    ),
  );
  expect(JSON.stringify(found.imported)).not.toContain('sk-a1B2');
  expect(found.cases).toMatchObject([
    { key: 'why', expected: [{ tool: 'a', arguments_include: { order: 1 } }] },
  ]);
  expect(found.missing).toEqual([['holds what looks like a key of a service', 1]]);
  expect(await verdictOf(found)).toMatchObject({ status: 'cleared' });
});

test('with --scorer rules cases expect no calls, and the scorer allows those that were made', async () => {
  const found = await made(linesOf(traced(asks('A'), call('b'), call('a', {}, { error: 'x' })), traced()), {
    scorer: 'rules',
  });
  expect(found.scorers).toMatchObject([{ config: { order: 'in_order', allow_extra: ['a', 'b'] } }]);
  for (const one of found.cases) expect(one).not.toHaveProperty('expected');
  expect(await verdictOf(found)).toMatchObject({ status: 'cleared', total_cases: 2 });
});

test('the warning counts e-mail addresses, and names the first line with one', async () => {
  const { warning } = await made(
    linesOf(
      traced(asks('Why?'), call('a')),
      traced(asks('I am A@x.org'), call('m', { to: ['b@x.org', 'a@x.org'] })),
    ),
  );
  expect(warning).toBe(
    'The suite holds what users wrote and what tools were called with, such as personal data: read it before you commit it (2 e-mail addresses, first in line 2).',
  );
});

test.each<[string, string, string]>([
  ['is cut off', '{"trace": []}\n{"trace": [', 'traces.jsonl:2:1: error: is not JSON'],
  ['lacks a call', linesOf(traced({ type: 'call' })), 'trace.0.tool must be the name of a tool'],
  ['has a case that is none', linesOf({ case: 7, ...traced() }), 'case must be the key of a case'],
  ['may show calls elsewhere', linesOf({ ...traced(), steps: [] }), '"steps", which is not read'],
  [
    'is a span without its name',
    lineOf([span('r', [0, 1], { 'gen_ai.operation.name': 'execute_tool' })]),
    'does not name the tool',
  ],
  ['is of promptfoo', '{"results": []}', 'is of promptfoo or Inspect, of which no traces are read'],
])('nothing is imported where a line %s', async (_, text, error) => {
  await expect(made(text)).rejects.toThrow(error);
});

test('hostile traces are cases, or are listed, and never end an import', async () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { k: deep(levels - 1) });
  const names = [
    '__proto__',
    'x'.repeat(2_000),
    '<<',
    '',
    'constructor',
    '\u2028',
    '- a: b',
    '\u0000',
    'file://x',
  ];
  const items = [
    ...[...Array(70).keys()].flatMap((levels) => [
      traced(call('a', { own: 1, deep: deep(levels) })),
      { input: { deep: deep(Math.min(levels, 60)) }, ...traced(call('a')) },
    ]),
    ...names.map((name) =>
      traced(asks(name || 'x'), call('b', JSON.parse(`{${JSON.stringify(name)}: {"n": 1}}`))),
    ),
    ...names.map((name) => traced(asks('Why?'), call(name.slice(0, 256) || 'x', name))),
    traced(asks('y'.repeat(200_000)), call('c')),
    traced(call('multi_tool_use.parallel', { tool_uses: 7 })),
  ];
  const found = await made(linesOf(...items));
  expect(found.cases.length).toBeGreaterThan(100);
  expect(await verdictOf(found)).toMatchObject({ status: 'cleared' });
});

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('a\nb', 'x'.repeat(90), `sk-${'a1'.repeat(9)}`, 'file://x', '<<', '*', '7', 'true', '~'),
  fc.constantFrom(7, -0, 1.5, 2 ** 60, true, null),
);
const json = fc.oneof(
  value,
  fc.array(value, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('k', 'K', '__proto__', '<<'), value),
);
const drawn = fc.array(
  fc.record(
    {
      tool: fc.constantFrom('a', 'b', 'delete_*', '__proto__'),
      arguments: fc.oneof(
        fc.dictionary(fc.constantFrom('k', 'K', 'm', '__proto__', 'constructor'), json),
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constant('x\ny'),
      ),
      error: fc.constant('failed'),
      result: json,
      isNested: fc.boolean(),
      gap: fc.nat(1),
    },
    { requiredKeys: ['tool', 'isNested', 'gap'] },
  ),
  { maxLength: 10 },
);

test('each imported case passes with its trace', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('calls', 'rules'),
      fc.boolean(),
      async (traces, scorer, comparesProse) => {
        const lines = traces.map((calls) => {
          let step = 0;
          const trace = calls.map(({ isNested, gap, ...one }, at) => {
            step += gap;
            return { type: 'call', ...one, id: `${at}`, step, ...(isNested && at > 0 && { parent: '0' }) };
          });
          return JSON.stringify({ trace });
        });
        fc.pre(lines.every((line) => line.isWellFormed()));
        const found = await made(lines.join('\n'), { scorer, comparesProse });
        if (found.cases.length === 0) return;
        count += 1;
        expect(await verdictOf(found)).toMatchObject({ status: 'cleared', surplus: [] });
      },
    ),
    { numRuns: sized(60, 3_000) },
  );
  expect(count).toBeGreaterThan(20);
});
