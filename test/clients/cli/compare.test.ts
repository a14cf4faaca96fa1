import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const gated = useGate();
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
const HOSTILE = 'said \u001b[31m\u202e::error::@octocat';

const runOf = async (...good: string[]): Promise<string> => {
  const outputs = ['window', 'refund', 'letter'].map((name) => ({
    case: name,
    output: good.includes(name) ? '30 days' : 'never',
  }));
  return (await gated.gate.runs.create({ suite: 'returns', outputs })).id;
};
let before: string;
let after: string;
beforeAll(async () => {
  before = await runOf('window', 'refund');
  after = await runOf('letter');
});

test('without a baseline there is nothing to compare with: 2, and what to do', async () => {
  const { code, stdout, stderr } = await place.cli(['compare', after]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe('evalgate: No such baseline.\nMake a run one: evalgate accept <suite> <run>\n');
});

test('compare prints of two runs what got worse, how sure that is, and which cases', async () => {
  const { code, stdout, stderr } = await place.cli(['compare', after, '--baseline', before]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [worse, against, rates, drop, ...lists] = stdout.split('\n');
  expect(worse).toBe(
    '2 of 3 compared cases are newly failing and 1 newly passing: by chance alone that happens in 31 of 100 comparisons (p = 0.313)',
  );
  expect(against).toBe(`against a run of today (${before})`);
  expect(rates).toMatch(/^pass rate 66\.7 % → 33\.3 %: −33\.3 points \(95 % sure: −\S+ to \+\S+\)$/);
  expect(drop).toMatch(/^such a comparison sees a drop of \S+ points four times in five$/);
  expect(lists.map((line) => line.replace(/ {2}missing.*/, ''))).toEqual([
    'newly failing: 2',
    '  window  1.00 → 0.00',
    '  refund  1.00 → 0.00',
    'newly passing: 1',
    expect.stringMatching(/^ {2}letter {2}0\.00 → 1\.00/),
    '',
  ]);
  const json = JSON.parse((await place.cli(['compare', after, '--baseline', before, '--json'])).stdout);
  expect(json).toEqual(await gated.gate.comparisons.get(after, { baseline: before }));
});

test('a run that does not exist, and a text that is no id, exit with 2 and one sentence', async () => {
  for (const args of [
    ['run_0'],
    [before, '--baseline', 'run_0'],
    ['../x'],
    [before, '--baseline', HOSTILE],
  ]) {
    const { code, stdout, stderr } = await place.cli(['compare', ...args]);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
  }
});
