import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import type { OutputItem } from '../../../shared/contracts/outputs.ts';
import { createRun } from '../../../shared/contracts/runs.ts';

const issuesOf = (body: unknown) => {
  const parsed = createRun.body.safeParse(body);
  return parsed.success
    ? []
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
};
const pathsOf = (body: unknown) => issuesOf(body).map(({ path }) => path);
const ofItem = (item: unknown) => pathsOf({ suite: 's', outputs: [{ case: 'first', output: 'o' }, item] });

/** An object whose JSON text takes this many bytes. */
const objectOf = (bytes: number) => ({ x: 'm'.repeat(bytes - '{"x":""}'.length) });

describe('output and outputs', () => {
  test('one of them is needed: output is named, as it was when there was no other', () => {
    expect(issuesOf({ suite: 's' })).toEqual([
      { path: 'output', message: 'Invalid input: expected string, received undefined' },
    ]);
    expect(pathsOf({})).toEqual(['suite', 'output']);
  });

  test('both together are refused by the name of outputs, whatever else is wrong', () => {
    const both = { output: 'o', outputs: [{ case: 'a', output: 'o' }] };
    expect(pathsOf({ suite: 's', ...both })).toEqual(['outputs']);
    expect(pathsOf({ ...both, async: 1 })).toEqual(['suite', 'async', 'outputs']);
    expect(pathsOf({ suite: 's', ...both, output: '' })).toEqual(['outputs']);
  });

  test.each([null, 5, {}, []])('an output that is %j is named once', (output) => {
    expect(pathsOf({ suite: 's', output })).toEqual(['output']);
  });

  test.each([null, 5, 'text', {}, [], { length: 1, 0: { case: 'a', output: 'o' } }])(
    'outputs that are %j are named once',
    (outputs) => {
      expect(pathsOf({ suite: 's', outputs })).toEqual(['outputs']);
    },
  );

  test('20,000 items are taken, one more is refused without a look at them', () => {
    const items = Array.from({ length: OUTPUTS_MAX }, () => ({ case: 'a', output: 'o' }));
    expect(pathsOf({ suite: 's', outputs: items })).toEqual([]);
    expect(pathsOf({ suite: 's', outputs: [...items, 5] })).toEqual(['outputs']);
  });

  test.each([null, [], 'body', 7])('a body that is %j is named as a whole', (body) => {
    expect(pathsOf(body)).toEqual(['']);
  });
});

describe('an item', () => {
  test.each([
    ['1', 'no object', 5],
    ['1', 'null', null],
    ['1.case', 'without a case', { output: 'o' }],
    ['1.case', 'of an empty case', { case: '', output: 'o' }],
    ['1.case', 'of a name longer than any', { case: 'c'.repeat(201), output: 'o' }],
    ['1.output', 'with neither output nor error', { case: 'a' }],
    ['1.error', 'with output and error', { case: 'a', output: 'o', error: 'e' }],
    ['1.output', 'of a number', { case: 'a', output: 5 }],
    ['1.output', 'of more than 1 MB in bytes', { case: 'a', output: 'é'.repeat(524_289) }],
    ['1.error', 'with an empty error', { case: 'a', error: '' }],
    ['1.error', 'with an error of 2,001 characters', { case: 'a', error: 'e'.repeat(2_001) }],
    ['1.input', 'with a list as input', { case: 'a', output: 'o', input: [] }],
    ['1.input', 'with an input over 256 kB', { case: 'a', output: 'o', input: objectOf(262_145) }],
    ['1.metadata', 'with text as metadata', { case: 'a', output: 'o', metadata: 'm' }],
    ['1.metadata', 'with metadata over 2 kB', { case: 'a', output: 'o', metadata: objectOf(2_049) }],
    ['1.metadata.latency_ms', 'of a negative time', { case: 'a', output: 'o', metadata: { latency_ms: -1 } }],
    [
      '1.metadata.input_tokens',
      'of tokens in text',
      { case: 'a', output: 'o', metadata: { input_tokens: '5' } },
    ],
    ['1.metadata.cost_usd', 'of a list as cost', { case: 'a', output: 'o', metadata: { cost_usd: [1] } }],
  ])('is named at %s: %s', (path, _, item) => {
    expect(ofItem(item)).toEqual([`outputs.${path}`]);
  });

  test.each([null, undefined, 'text', {}])('that brings its own bar is refused: expected %j', (expected) => {
    expect(issuesOf({ suite: 's', outputs: [{ case: 'a', output: 'o', expected }] })).toEqual([
      { path: 'outputs.0.expected', message: 'the bar lives on the server: change the case' },
    ]);
  });

  test('keeps what it may hold, at the limits, and nothing else', () => {
    const items: OutputItem[] = [
      { case: 'a', output: '' },
      {
        case: 'c'.repeat(200),
        output: 'o'.repeat(1_048_576),
        input: objectOf(262_144),
        metadata: objectOf(2_048),
      },
      { case: 'a', error: 'e'.repeat(2_000) },
      {
        case: 'a',
        output: 'o',
        metadata: { latency_ms: 0, input_tokens: 1e9, output_tokens: 0.5, cost_usd: 0, trace_id: [null] },
      },
    ];
    const sent = items.map((item) => ({ ...item, unknown: 'field', threshold: 0 }));
    expect(createRun.body.parse({ suite: 's', outputs: sent }).outputs).toEqual(items);
  });
});

test('every wrong item is named', () => {
  const outputs = Array.from({ length: 3 }, () => ({ case: 5, output: 5, metadata: { cost_usd: -1 } }));
  expect(pathsOf({ suite: 's', outputs })).toEqual(
    [0, 1, 2].flatMap((index) =>
      ['case', 'output', 'metadata.cost_usd'].map((field) => `outputs.${index}.${field}`),
    ),
  );
});

test('a body of any JSON gives issues with places, and never throws', () => {
  const item = fc.record(
    {
      case: fc.oneof(fc.string(), fc.jsonValue()),
      output: fc.oneof(fc.string(), fc.jsonValue()),
      error: fc.oneof(fc.string(), fc.jsonValue()),
      input: fc.jsonValue(),
      metadata: fc.oneof(
        fc.dictionary(fc.constantFrom('latency_ms', 'cost_usd', 'x'), fc.jsonValue()),
        fc.jsonValue(),
      ),
      expected: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    { suite: fc.constant('s'), output: fc.jsonValue(), outputs: fc.oneof(fc.array(item), fc.jsonValue()) },
    { requiredKeys: ['suite'] },
  );
  fc.assert(
    fc.property(fc.oneof(body, fc.jsonValue()), (sent) => {
      for (const { path, message } of issuesOf(sent)) {
        expect(path).toMatch(/^$|^\w+(\.\d+(\.\w+)*)?$/);
        expect(message).not.toBe('');
      }
    }),
  );
});

test.each([
  ['sha256:' + 'a'.repeat(64), []],
  ['sha256:' + 'A'.repeat(64), ['suite_digest']],
  ['a'.repeat(64), ['suite_digest']],
  [null, ['suite_digest']],
])('a suite_digest is sha256: and 64 digits: %s', (suite_digest, paths) => {
  expect(pathsOf({ suite: 's', output: 'o', suite_digest })).toEqual(paths);
});
