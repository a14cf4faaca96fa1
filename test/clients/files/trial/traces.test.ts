import { expect, test } from '@jest/globals';
import { stringify } from 'yaml';
import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import { readOutputs } from '../../../../clients/importers/outputs/readOutputs.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { MATCHER_CASES } from '../../../shared/scoring/trajectory/matchers.ts';
import { makeFolder, NOW, readIn, writeFiles } from '../repository.ts';

const folder = makeFolder();

/** A suite of a case for each config, and what its file says wrong. */
async function suiteOf(configs: readonly object[]) {
  const cases = configs.map((_, at) => ({ key: `m${at}`, input: {}, scorer: `s${at}` }));
  const scorers = Object.fromEntries(configs.map((config, at) => [`s${at}`, { type: 'trajectory', config }]));
  writeFiles(folder, { 'evals/s.suite.yaml': stringify({ version: 1, suite: 's', scorers, cases }) });
  return readIn(folder);
}

test('what the matchers of other tools get wrong is decided right on this machine, too', async () => {
  const { suites, messages } = await suiteOf(MATCHER_CASES.map(({ config }) => config));
  expect(messages.filter((line) => line.includes(': error: '))).toEqual([]);
  const outputs = MATCHER_CASES.map(
    ({ sent }, at) => ({ case: `m${at}`, output: '', ...sent }) as OutputItem,
  );
  const tried = await tryLocally(suites[0]!, { outputs }, { nowMs: NOW });
  const scores = tried.outcome === 'verdict' ? tried.verdict.scores : [];
  expect(scores.map(({ passed }) => passed)).toEqual(MATCHER_CASES.map(({ passes }) => passes));
});

test('an output without its trace is missing, and one with an error and a forbidden call has failed', async () => {
  const { suites } = await suiteOf([
    { calls: [], forbidden: ['x'] },
    { calls: [], allow_extra: true, forbidden: ['x'] },
  ]);
  const trace = [{ type: 'call', tool: 'x' }];
  const outputs: OutputItem[] = [
    { case: 'm0', output: 'Done.' },
    { case: 'm1', error: '429', trace },
  ];
  const tried = await tryLocally(suites[0]!, { outputs }, { nowMs: NOW });
  expect(tried).toMatchObject({
    verdict: {
      missing_cases: 1,
      errored_cases: 0,
      scores: [{ missing: true }, { passed: false, missing: false }],
    },
  });
});

test('a mistake in a group of a file is named at its place', async () => {
  const { messages } = await suiteOf([{ order: 'in_order', calls: [[{ tool: 'a', mn: 1 }, { tool: 'b' }]] }]);
  expect(messages.join('\n')).toMatch(/calls.*mn/);
});

function linesOf(...items: readonly object[]) {
  const problems = new Problems();
  const bytes = Buffer.from(items.map((item) => JSON.stringify(item)).join('\n'));
  const { items: read } = readOutputs('answers.jsonl', { bytes }, problems);
  return { read, said: problems.sorted().map(problemLine) };
}

test('a line is read with its trace, and a wrong one is named with the place in it', () => {
  const wrong = { case: 'a', messages: [{ role: 'robot' }] };
  const { said } = linesOf({ case: 'a', output: 'x', trace: [] }, wrong, {
    case: 'a',
    trace: [],
    messages: [],
  });
  expect(said).toEqual([
    expect.stringMatching(/^answers\.jsonl:2:.* messages\.0\.role is "robot"/),
    expect.stringMatching(/^answers\.jsonl:3:.* messages must not be sent beside trace/),
  ]);
});

test('a warning names an agent that gave no answer after its last call', () => {
  const { said, read } = linesOf({ case: 'a', trace: [{ type: 'call', tool: 'x' }] });
  expect(said).toEqual([expect.stringContaining('the trace shows no answer after its last call')]);
  expect(read).toHaveLength(1);
});
