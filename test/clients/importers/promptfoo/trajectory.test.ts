import { expect, test } from '@jest/globals';
import { tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { NOW } from '../../files/repository.ts';
import { asserting, loaded } from './importing.ts';

/** An assertion, tools whose calls pass it in promptfoo, and tools whose calls do not. */
type Row = readonly [assertion: object, good: readonly string[], bad: readonly string[]];

const used = (value: unknown, not = '') => ({ type: `${not}trajectory:tool-used`, value });
const sequence = (value: unknown) => ({ type: 'trajectory:tool-sequence', value });
const args = (value: unknown, not = '') => ({ type: `${not}trajectory:tool-args-match`, value });
const f1 = (value: unknown, threshold?: number) => ({
  type: 'tool-call-f1',
  value,
  ...(threshold && { threshold }),
});
const skill = (value: unknown, not = '') => ({ type: `${not}skill-used`, value });

/** Each tool is called with the name after its colon as `k`. */
const ROWS: readonly Row[] = [
  [used('a'), ['a', 'b a', 'a a'], ['', 'b']],
  [used(['a', 'b']), ['b a', 'a b c'], ['a', '']],
  [used({ name: 'a', min: 2 }), ['a a', 'a b a a'], ['a', '']],
  [used({ name: 'a', max: 1 }), ['a', 'a b b'], ['a a', '']],
  [used({ name: 'a', min: 0, max: 1 }), ['', 'a', 'b b'], ['a a']],
  [used({ pattern: 'a*', min: 0, max: 0 }), ['b', ''], ['ab']],
  [used('d*', 'not-'), ['a', ''], ['delete', 'a d']],
  [used(['a', 'b'], 'not-'), ['c', ''], ['a', 'c b']],
  [sequence(['a', 'b']), ['a b', 'a c b', 'b a b'], ['b a', 'a', '']],
  [sequence({ mode: 'exact', steps: ['a', { name: 'b' }] }), ['a b'], ['a c b', 'a b b', 'a']],
  [args({ name: 'a', args: { k: '1' } }), ['a:1', 'a:2 a:1'], ['a:2', 'b:1', '']],
  [args({ name: 'a', arguments: { k: '1' }, mode: 'exact' }), ['a:1'], ['a:2', '']],
  [args({ name: 'a', args: { k: '1' } }, 'not-'), ['a:2', 'b:1', ''], ['a:1']],
  [{ type: 'trajectory:step-count', value: { type: 'tool', min: 1, max: 2 } }, ['a', 'a b'], ['', 'a b c']],
  [f1('a, b'), ['a b', 'b a a'], ['a', 'a b c', '']],
  [f1(['a', 'b'], 0.6), ['a b', 'a', 'a b c'], ['c', 'a c d', '']],
  [skill('1'), ['Skill:1', 'Skill:2 Skill:1'], ['Skill:2', 'a:1', '']],
  [skill({ name: '1', max: 0 }), ['Skill:2', ''], ['Skill:1']],
  [skill('1', 'not-'), ['Skill:2', ''], ['Skill:1']],
];

async function passes(suite: Awaited<ReturnType<typeof loaded>>, tools: string): Promise<boolean> {
  const trace = tools
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => {
      const [tool = '', k = '0'] = name.split(':');
      return { type: 'call', tool, arguments: tool === 'Skill' ? { skill: k } : { k } };
    });
  const outputs = suite.definition.cases.map(({ key }) => ({ case: key, output: '', trace }) as OutputItem);
  const tried = await tryLocally(suite.definition, { outputs }, { nowMs: NOW });
  if (tried.outcome !== 'verdict') throw new Error(JSON.stringify(tried));
  return tried.verdict.scores.every(({ passed }) => passed);
}

test.each(ROWS)('%j passes and fails the calls that it does in promptfoo', async (assertion, good, bad) => {
  const suite = await loaded(asserting(assertion));
  expect(suite.report.missing).toEqual([]);
  for (const tools of good) expect([tools, await passes(suite, tools)]).toEqual([tools, true]);
  for (const tools of bad) expect([tools, await passes(suite, tools)]).toEqual([tools, false]);
});

const tool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });
const of = (...tools: unknown[]) => ({ id: 'openai:gpt-5', config: { tools } });
const VALID = asserting({ type: 'is-valid-openai-tools-call' });

test.each<[title: string, providers: unknown]>([
  ['in a provider', of(tool('a'), tool('b'), { type: 'web_search' })],
  ['in each provider', [of(tool('a'), tool('b')), of(tool('b'), tool('a'))]],
  ['of a named provider', [{ 'openai:gpt-5': of(tool('a'), tool('b')) }]],
  ['in a file', [{ id: 'openai:gpt-5', config: { tools: 'file://tools.json' } }]],
  ['in the file of a provider', 'file://provider.json'],
])('only tools of the config are called: %s', async (_, providers) => {
  const files = {
    'tools.json': JSON.stringify([tool('a'), tool('b')]),
    'provider.json': JSON.stringify(of(tool('b'), tool('a'))),
  };
  const suite = await loaded({ ...VALID, providers }, files);
  expect(suite.report.missing).toEqual([]);
  for (const tools of ['a', 'b', 'a b a']) expect([tools, await passes(suite, tools)]).toEqual([tools, true]);
  for (const tools of ['', 'c', 'a c', 'A'])
    expect([tools, await passes(suite, tools)]).toEqual([tools, false]);
});

test.each<[title: string, config: object]>([
  ['no provider', {}],
  ['a provider without tools', { providers: ['openai:gpt-5', of(tool('a'))] }],
  ['providers with other tools', { providers: [of(tool('a')), of(tool('a'), tool('b'))] }],
  ['names that are made', { providers: of(tool('{{name}}')) }],
  ['parts of a list in files', { providers: of(tool('a'), 'file://tools.json') }],
  ['patterns', { providers: of(tool('a*')) }],
  ['a program', { providers: { id: 'x', config: { tools: 'file://tools.js' } } }],
  ['more than a scorer takes', { providers: of(...Array.from({ length: 101 }, (_, at) => tool(`t${at}`))) }],
  ['a provider of the test', { providers: of(tool('a')), defaultTest: { provider: 'openai:gpt-4' } }],
])('tools that are not known are not guessed: %s', async (_, config) => {
  const both = asserting({ type: 'is-valid-openai-tools-call' }, { type: 'contains', value: 'a' });
  const { report } = await loaded({ ...both, ...config });
  expect(report.missing.map(({ reason }) => reason).join()).toContain('the same 1 to 100 tools');
});

test.each([
  [used('a*'), 'pattern'],
  [{ type: 'not-is-valid-openai-tools-call' }, 'negation'],
  [used({ name: 'a', min: 0 }), 'passes whatever'],
  [used({ name: 'a', min: 2 }, 'not-'), 'negation'],
  [used({ name: 'a', min: 0 }, 'not-'), 'negation'],
  [used({ name: 'a', max: 0 }), 'fewer calls than it wants'],
  [used({ name: 'a', min: 3, max: 0 }), 'fewer calls than it wants'],
  [f1(['a'], 1.2), 'nothing reaches'],
  [sequence([]), 'does not take'],
  [{ ...sequence(['a']), type: 'not-trajectory:tool-sequence' }, 'negation'],
  [args({ name: 'a', args: { k: 1 }, ignore: ['id'] }), 'leaves arguments out'],
  [args({ name: 'a', args: { k: { l: 1 } } }, 'not-'), 'negation'],
  [{ type: 'trajectory:step-count', value: { min: 1 } }, 'other steps'],
  [{ type: 'trajectory:goal-success', value: 'Refund' }, 'the type'],
])('%j is not mapped, and the report states why', async (assertion, why) => {
  const { report } = await loaded(asserting(assertion, { type: 'contains', value: 'a' }));
  expect(report.missing.map(({ reason }) => reason).join()).toContain(why);
});

test.each([
  [used(['a', 'Shell']), 'may be a command'],
  [used('a*', 'not-'), 'may be a command'],
  [used('a?', 'not-'), '`?` one character'],
  [sequence({ mode: 'exact', steps: ['a'] }), 'may be a command'],
  [{ type: 'trajectory:step-count', value: { type: 'tool', max: 2 } }, 'may be a command'],
  [args({ name: 'a', args: { k: 1 } }, 'not-'), 'arguments are not known'],
  [skill('a', 'not-'), 'that failed'],
])('%j is mapped, and the report names the difference', async (assertion, difference) => {
  const { report } = await loaded(asserting(assertion));
  expect(report.differences.map(({ reason }) => reason).join()).toContain(difference);
});
