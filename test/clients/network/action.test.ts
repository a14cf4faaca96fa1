import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pullRequest } from '../action/payloads.ts';
import { BAD, type GateOfTest, GOOD, useWorld } from '../action/world.ts';
import { clockThrough } from './clock.ts';
import { countsOf, SEQUENCES_OF_ONE } from './counts.ts';
import { type Fault, numRuns, sequence } from './faults.ts';
import { useFaultyProxy } from './faultyProxy.ts';

const world = useWorld();
const proxy = useFaultyProxy();

interface Scenario {
  readonly faults: Fault[];
  readonly isGood: boolean;
}
const scenario = fc.record<Scenario>({ faults: sequence(9), isGood: fc.boolean() });

let gate: GateOfTest;
let attempt = 0;

async function play({ faults, isGood }: Scenario): Promise<void> {
  if (attempt++ % SEQUENCES_OF_ONE === 0) gate = await world.gate();
  const counted = { gate: gate.client, suiteId: gate.suiteId };
  const verdict = isGood ? [0, 'cleared'] : [1, 'aborted'];
  const before = await countsOf(counted);
  const more = (runs: number) => ({ runs: before.runs + runs, used: before.used + runs });
  const files = { 'answer.txt': isGood ? GOOD : BAD };
  const job = { event: 'pull_request', payload: pullRequest(), inputs: { url: proxy.url }, files };
  const ofAttempt = { GITHUB_RUN_ATTEMPT: String(attempt) };
  proxy.play(faults);
  const { code, outputs, stderr } = await gate.run({ ...job, env: ofAttempt, clock: clockThrough(proxy) });
  await proxy.settled();
  const after = await countsOf(counted);
  expect(stderr).toBe('');
  if (outputs.verdict !== 'error') {
    expect([code, outputs.verdict]).toEqual(verdict);
    expect(after).toEqual(more(1));
    return;
  }
  expect([2, 3]).toContain(code);
  expect([more(0), more(1)]).toContainEqual(after);
  proxy.play([]);
  // The same attempt once more finds the run.
  const again = await gate.run({ ...job, env: ofAttempt });
  expect([again.code, again.outputs.verdict]).toEqual(verdict);
  expect(await countsOf(counted)).toEqual(more(1));
}

test('a step is one run and one bill whatever gets lost, and what the network does is never 1', async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns: numRuns(8), endOnFailure: true });
});

const well: Fault = { type: 'none', framing: 'length', isPacked: false };
const silence: Fault = { type: 'silence', isCarriedOut: true };

test('details that never come keep neither the verdict nor its report back', async () => {
  const own = await world.gate();
  const job = { inputs: { url: proxy.url }, files: { 'answer.txt': BAD } };
  // The token, the run, its results.
  proxy.play([well, well, silence]);
  const { code, outputs, summary } = await own.run({ ...job, clock: clockThrough(proxy) });
  await proxy.settled();
  expect([code, outputs.verdict]).toEqual([1, 'aborted']);
  expect(summary).toContain('aborted by');
  expect(summary).toContain('window');
});
