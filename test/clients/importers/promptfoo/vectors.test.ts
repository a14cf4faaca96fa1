import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { tryLocally } from '../../../../clients/files/trial/tryLocally.ts';
import type { OutputItem } from '../../../../shared/contracts/outputs.ts';
import { NOW } from '../../files/repository.ts';
import { asserting, type Loaded, loaded, passes } from './importing.ts';

/** Which of the inputs pass (`1`). `stricter`: a difference that the import reports has fewer of them pass here. */
type Row = readonly [assertion: object, passed: string, difference?: 'stricter'];

/** What its own scoring says. */
interface Recorded {
  readonly promptfoo: string;
  /** Tools that are called after each other, each with the name after its colon as `k`, or else `0`. */
  readonly calls: readonly string[];
  readonly callRows: readonly Row[];
  readonly texts: readonly string[];
  readonly textRows: readonly Row[];
}

const RECORDED: Recorded = JSON.parse(readFileSync(path.join(import.meta.dirname, 'vectors.json'), 'utf8'));

const TOOLS = ['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name, parameters: {} } }));
const PROVIDERS = { id: 'openai:gpt-5', config: { tools: TOOLS } };

async function passesCalls({ definition }: Loaded, calls: string): Promise<boolean> {
  const trace = calls.split(' ').flatMap((call) => {
    const [tool = '', k = '0'] = call.split(':');
    const given = tool === 'Skill' ? { skill: k } : { k };
    return tool === '' ? [] : [{ type: 'call', tool, arguments: given }];
  });
  const outputs = definition.cases.map(({ key }) => ({ case: key, output: 'x', trace }) as OutputItem);
  const tried = await tryLocally(definition, { outputs }, { nowMs: NOW });
  if (tried.outcome !== 'verdict') throw new Error(JSON.stringify(tried));
  return tried.verdict.scores.every(({ passed }) => passed);
}

type Passes = (suite: Loaded, input: string) => Promise<boolean>;

async function expectSame(inputs: readonly string[], [assertion, bits, difference]: Row, isPassed: Passes) {
  const suite = await loaded({ ...asserting(assertion), providers: PROVIDERS });
  expect(suite.report.missing).toEqual([]);
  const there = inputs.filter((_, at) => bits[at] === '1');
  const here: string[] = [];
  for (const input of inputs) if (await isPassed(suite, input)) here.push(input);
  if (difference === undefined) expect(here).toEqual(there);
  else expect(there).toEqual(expect.arrayContaining(here));
}

test.each(RECORDED.callRows)('%j passes the calls that promptfoo passes', (...row) =>
  expectSame(RECORDED.calls, row, passesCalls),
);

test.each(RECORDED.textRows)('%j passes the outputs that promptfoo passes', (...row) =>
  expectSame(RECORDED.texts, row, passes),
);
