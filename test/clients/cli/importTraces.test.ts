import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { makeRepository, writeFiles } from '../files/repository.ts';
import { lineOf, ROOT, span } from '../importers/outputs/otlp.ts';
import { said } from './inProcess.ts';

const call = (tool: string, members: object = {}) => ({ type: 'call', tool, arguments: members });
const line = (question: string, ...calls: readonly object[]) =>
  JSON.stringify({
    trace: [
      { type: 'message', role: 'user', text: question },
      ...calls,
      { type: 'message', role: 'assistant', text: 'Done.' },
    ],
  });
const LOOKED_UP = line(
  'Refund A1',
  call('lookup', { order: 'A1' }),
  call('refund', { order: 'A1', amount: 40 }),
);
const HASTY = line('Refund A2', call('refund', { order: 'A2', amount: 240 }));

const SUITE = 'evals/traces/traces.suite.yaml';
const OUTPUTS = 'evals/traces/outputs.jsonl';

function place(...lines: readonly string[]) {
  const folder = makeRepository({ 'traces.jsonl': lines.join('\n') });
  const file = (name: string) => path.join(folder, name);
  return {
    cli: (...args: readonly string[]) => said(folder, args),
    imports: (...args: readonly string[]) => said(folder, ['import', 'traces', 'traces.jsonl', ...args]),
    traces: (...next: readonly string[]) => writeFiles(folder, { 'traces.jsonl': next.join('\n') }),
    text: (name: string) => readFileSync(file(name), 'utf8'),
    edit: (name: string, from: string | RegExp, to: string) => {
      const before = readFileSync(file(name), 'utf8');
      const after = before.replace(from, to);
      expect(after).not.toBe(before);
      writeFileSync(file(name), after);
    },
    has: (name: string) => existsSync(file(name)),
  };
}

const RULES = `$&
      rules:
        - name: Looked up
          when: { tool: refund }
          before: { tool: lookup, same: [$.order] }
        - { name: Notified, when: { tool: refnd }, after: { tool: notify } }`;

test('an import of traces passes at once, and names last what to look for in it', async () => {
  const { cli, imports } = place(LOOKED_UP, line('Mail b@x.org', call('mail')));
  const { code, stdout, stderr } = await imports();
  expect(code).toBe(0);
  expect(stdout).toContain('traces.jsonl: 2 traces: 2 mapped');
  expect(stdout).toContain('what cases expect is what the agent did, right or wrong');
  expect(stderr).toContain(`then evalgate try traces --outputs ${OUTPUTS}`);
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'The suite holds what users wrote and what tools were called with, such as personal data: read it before you commit it (1 e-mail address, first in line 2).',
  );
  expect(await cli('try', 'traces', '--outputs', OUTPUTS)).toMatchObject({ code: 0, stderr: '' });
});

test('a line that cannot be read ends the import with 2, and nothing is written', async () => {
  const torn = place(LOOKED_UP, '{"trace": [');
  expect(await torn.imports()).toMatchObject({ code: 2, stdout: '' });
  expect(torn.has('evals')).toBe(false);
  const bytes = place();
  bytes.traces(LOOKED_UP);
  const folder = makeRepository({
    'traces.jsonl': Buffer.from([...Buffer.from('{"trace":[],"input":{"a":"'), 0xff]),
  });
  const read = await said(folder, ['import', 'traces', 'traces.jsonl']);
  expect(read).toMatchObject({ code: 2, stderr: expect.stringContaining('is not UTF-8') });
  for (const args of [
    ['--scorer', 'regex'],
    ['--arguments', 'some'],
    ['--key', 'nothing'],
  ])
    expect(await bytes.imports(...args)).toMatchObject({ code: 2 });
  expect(bytes.has('evals')).toBe(false);
});

test('rules of the scorer judge all traces, and one that applied to no call is named', async () => {
  const { cli, imports, edit } = place(LOOKED_UP, HASTY);
  await imports('--scorer', 'rules');
  expect(await cli('try', 'traces', '--outputs', OUTPUTS)).toMatchObject({ code: 0 });
  edit(SUITE, 'order: in_order', RULES);
  const tried = await cli('try', 'traces', '--outputs', OUTPUTS);
  expect(tried.code).toBe(1);
  expect(tried.stdout).toContain('Looked up: refund (call 1, order "A2") has no lookup before it');
  expect(tried.stderr).toContain('The rule "Notified" applied to no call of these outputs');
  expect(tried.stderr).not.toContain('The rule "Looked up"');
});

const edited = async (...options: readonly string[]) => {
  const made = place(LOOKED_UP);
  await made.imports(...options);
  made.edit(SUITE, /order: in_order/, `$&\n      max_calls: 3 # mine`);
  return made;
};

test.each([
  ['calls', []],
  ['rules', ['--scorer', 'rules']],
])('another import keeps an edited scorer, for old cases and new (%s)', async (_, options) => {
  const { cli, imports, traces, text } = await edited(...options);
  traces(LOOKED_UP, HASTY, line('Hello', call('greet')));
  const { code, stderr } = await imports(...options);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('2 cases added, 0 changed, 0 kept'),
  });
  const suite = text(SUITE);
  expect(suite).toContain('max_calls: 3 # mine');
  expect(suite.match(/scorer: .*/g)).toEqual(Array.from({ length: 3 }, () => 'scorer: traces-trajectory'));
  expect(suite.match(/type: trajectory/g)).toHaveLength(1);
  expect(text(OUTPUTS).trim().split('\n')).toHaveLength(3);
  const tried = await cli('try', 'traces', '--outputs', OUTPUTS);
  // The scorer that stays does not allow a tool of a new trace, and the import warns of it.
  if (options.length > 0)
    expect(stderr).toContain('left so, while the import makes others now: traces-trajectory');
  expect(tried.code).toBe(options.length > 0 ? 1 : 0);
});

test('a scorer that is as it was imported allows the tools of the next import, too', async () => {
  const { cli, imports, traces, text } = place(LOOKED_UP);
  await imports('--scorer', 'rules');
  traces(LOOKED_UP, line('Hello', call('greet')));
  await imports('--scorer', 'rules');
  expect(text(SUITE)).toContain('greet');
  expect(text(SUITE)).not.toContain('trajectory-2');
  expect(await cli('try', 'traces', '--outputs', OUTPUTS)).toMatchObject({ code: 0 });
});

test('the scorer of most cases is that of new ones, under another name and as a default, too', async () => {
  const made = await edited();
  const named = made.text(SUITE).replaceAll('traces-trajectory', 'deeds');
  const byDefault = named
    .replace('cases:', 'defaults:\n  scorer: deeds\ncases:')
    .replace('    scorer: deeds\n', '');
  for (const suite of [named, byDefault]) {
    const other = await edited();
    other.edit(SUITE, /[\s\S]*/, suite);
    other.traces(LOOKED_UP, HASTY);
    await other.imports();
    expect(other.text(SUITE)).toContain('max_calls: 3 # mine');
    expect(other.text(SUITE)).not.toContain('traces-trajectory');
    expect(await other.cli('try', 'traces', '--outputs', OUTPUTS)).toMatchObject({ code: 0 });
  }
});

test('a case that changes in the source changes with its output, but not an edited one', async () => {
  const named = (name: string, ...calls: readonly object[]) => JSON.stringify({ case: name, trace: calls });
  const { cli, imports, traces, text, edit } = place(named('one', call('a')), named('two', call('a')));
  await imports();
  edit(SUITE, /tool: a\n(?![\s\S]*tool: a)/, 'tool: mine\n');
  traces(named('one', call('b')), named('two', call('b')));
  const { stderr } = await imports();
  expect(stderr).toContain('0 cases added, 1 changed');
  expect(stderr).toContain('makes others now: two');
  expect(text(SUITE)).toMatch(/tool: b[\s\S]*tool: mine/);
  const tried = await cli('try', 'traces', '--outputs', OUTPUTS);
  expect(tried.stdout).toContain('✓ 1 case passed');
  expect(tried.stdout).toContain('two');
});

test('a rule that reads a result judges spans of OpenTelemetry by it', async () => {
  const folder = makeRepository({
    'evals/deeds.suite.yaml': `version: 1
suite: deeds
scorers:
  deeds:
    type: trajectory
    config:
      allow_extra: true
      rules:
        - name: Approved
          when: { tool: refund }
          before: { tool: approve, result: [{ path: $.ok, op: equals, value: true }] }
cases:
  - { key: refund-a1, input: {}, scorer: deeds }
`,
  });
  const tried = async (result: object) => {
    const tool = (name: string) => ({ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name });
    const approved = { ...tool('approve'), 'gen_ai.tool.call.result': JSON.stringify(result) };
    const spans = [ROOT, span('root/a', [1, 2], approved), span('root/b', [3, 4], tool('refund'))];
    writeFiles(folder, { 'spans.jsonl': lineOf(spans) });
    return said(folder, ['try', 'deeds', '--outputs', 'spans.jsonl']);
  };
  expect(await tried({ ok: true })).toMatchObject({ code: 0 });
  expect(await tried({ ok: false })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('approve (call 1) has another result'),
  });
});
