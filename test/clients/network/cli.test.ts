import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sharedServiceUrl } from '../../support/api.ts';
import { aGate, type Gated, usePlace } from '../cli/cli.ts';
import { error, startHostile } from '../sdk/hostile.ts';
import { clockThrough } from './clock.ts';
import { countsOf, SEQUENCES_OF_ONE } from './counts.ts';
import { type Fault, numRuns, sequence } from './faults.ts';
import { useFaultyProxy } from './faultyProxy.ts';

const url = sharedServiceUrl();
const proxy = useFaultyProxy();
const place = usePlace();
let gated: Gated;
let played = 0;

interface Scenario {
  readonly faults: Fault[];
  readonly isGood: boolean;
  /** Its run is answered later. */
  readonly isShort: boolean;
}
const scenario = fc.record<Scenario>({
  faults: sequence(9),
  isGood: fc.boolean(),
  isShort: fc.boolean(),
});

async function play({ faults, isGood, isShort }: Scenario): Promise<void> {
  if (played++ % SEQUENCES_OF_ONE === 0) gated = await aGate(url);
  const verdict = isGood ? 0 : 1;
  const command = ['run', 'returns', '--output', isGood ? 'good.txt' : 'bad.txt'];
  const wait = isShort ? ['--wait', '24s'] : [];
  const env = { EVALGATE_URL: proxy.url, EVALGATE_API_KEY: gated.apiKey };
  const before = await countsOf(gated);
  const more = (runs: number) => ({ runs: before.runs + runs, used: before.used + runs });
  proxy.play(faults);
  const { code, stderr } = await place.cli([...command, ...wait], { env, clock: clockThrough(proxy) });
  await proxy.settled();
  const after = await countsOf(gated);
  expect(stderr).not.toMatch(/^\s+at |node:internal/m);
  expect(stderr).not.toContain(gated.apiKey);
  if (code === verdict) {
    expect(after).toEqual(more(1));
    return;
  }
  expect([2, 3]).toContain(code);
  expect([more(0), more(1)]).toContainEqual(after);
  const [, key] = /--idempotency-key (\S+) finds it/.exec(stderr) ?? [];
  const [, id] = /evalgate wait (run_\w+)/.exec(stderr) ?? [];
  if (after.runs > before.runs) expect(key ?? id).toBeDefined();
  proxy.play([]);
  // A user who does what it says gets the verdict of that run.
  const withKey = key === undefined ? [] : ['--idempotency-key', key];
  const next = id === undefined ? [...command, ...wait, ...withKey] : ['wait', id];
  expect(await place.cli(next, { env })).toMatchObject({ code: verdict });
  expect(await countsOf(gated)).toEqual(more(1));
}

test('a command is one run and one bill whatever gets lost, and what the network does is never 1', async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns: numRuns(8), endOnFailure: true });
});

test('a request that never ends at the service is 3, and its key is printed', async () => {
  const stranger = await startHostile();
  stranger.answers(error(409, 'IDEMPOTENCY_IN_PROGRESS'));
  const env = { EVALGATE_URL: stranger.url, EVALGATE_API_KEY: 'egk_test' };
  const { code, stderr } = await place.cli(['run', 'returns', '--output', 'good.txt'], {
    env,
    clock: clockThrough(proxy),
  });
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('finds it') });
  await stranger.stop();
});
