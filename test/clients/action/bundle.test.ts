import { expect, test } from '@jest/globals';
import { pullRequest } from './payloads.ts';
import { BAD, faster, useGate, useWorld } from './world.ts';

/** The other tests run the step in their own process: here the bundle runs, as the runner of GitHub Actions starts it. */
const world = useWorld();
const gate = useGate(world);

const job = { event: 'pull_request', payload: pullRequest(), isBundled: true } as const;

test.each([
  ['cleared', 0, {}],
  ['aborted', 1, { 'answer.txt': BAD }],
])(
  'the bundle ends a job that is %s with %d, and writes outputs, summary, annotations and comment',
  async (verdict, code, files) => {
    const ended = await gate.run({ ...job, files });
    expect(ended).toMatchObject({ code, stderr: '', outputs: { verdict, 'exit-code': String(code) } });
    expect(ended.summary).toContain(verdict);
    expect(ended.commands.some(({ name }) => name === 'error')).toBe(code === 1);
    expect(world.github.comments.get(2)?.map(({ body }) => body)).toEqual([expect.stringContaining(verdict)]);
  },
);

test('the bundle loads schemas and scorers where a suite is planned', async () => {
  const files = {
    'evalgate.yaml': 'version: 1\nsuites: ["*.suite.yaml"]\n',
    'bar.suite.yaml': `version: 1
suite: bar
scorers: { has: { type: contains, config: { values: ["30 days"] } } }
cases: [{ key: window, input: {}, scorer: has }]
`,
  };
  const planned = await gate.run({
    ...job,
    files,
    inputs: { command: 'plan', suite: '', 'output-file': '' },
  });
  expect(planned).toMatchObject({ code: 0, stderr: '', outputs: { weaker: 'false' } });
  expect(planned.summary).toContain('Plan of the suites');
});

test('a connection that is still open keeps the process no longer', async () => {
  world.github.interfere = () => true;
  const { code, outputs } = await gate.run({ ...job, env: faster(20) });
  expect([code, outputs.verdict]).toEqual([0, 'cleared']);
});

test('a fault of the action itself is no verdict', async () => {
  const source = 'globalThis.fetch = () => new Promise(() => setTimeout(() => { throw Error(`a fault`); }))';
  const fault = `data:text/javascript,${encodeURIComponent(source)}`;
  const { code, commands } = await gate.run({ isBundled: true, env: { NODE_OPTIONS: `--import=${fault}` } });
  expect(code).toBe(3);
  expect(commands.at(-1)?.message).toBe('a fault');
});
