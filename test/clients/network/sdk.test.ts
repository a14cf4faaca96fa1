import { createServer } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EvalgateError, type Outcome, type RunsCreateBody } from '../../../clients/sdk/index.ts';
import { ENVIRONMENT } from '../../../clients/sdk/transport/environment.ts';
import { sharedServiceUrl } from '../../support/api.ts';
import { listening } from '../../support/listening.ts';
import { aGate, type Gated } from '../cli/cli.ts';
import { clientOf } from '../sdk/hostile.ts';
import { countsOf, SEQUENCES_OF_ONE } from './counts.ts';
import { type Fault, numRuns, sequence } from './faults.ts';
import { useFaultyProxy } from './faultyProxy.ts';

const url = sharedServiceUrl();
const proxy = useFaultyProxy();
let closedPort: number;
let gated: Gated;
let played = 0;

beforeAll(async () => {
  const gone = await listening(createServer());
  closedPort = gone.port;
  await gone.stop();
});

/** Through the proxy. Time passes in pauses only, and in tries that get no answer. */
function clientThroughProxy(apiKey: string, isOverlapping: boolean) {
  const client = clientOf(proxy.url, {
    apiKey,
    environment: {
      fetch: (address, request) =>
        ENVIRONMENT.fetch(proxy.refuses() ? address.replace(/:\d+/, `:${closedPort}`) : address, request),
      async sleep(ms) {
        client.time.state.nowMs += ms;
        // The service takes no longer than a pause, or a try comes while one before it is under way.
        if (!isOverlapping) await proxy.settled();
      },
    },
  });
  proxy.onSilence = client.time.expire;
  return client.gate;
}

interface Scenario {
  readonly faults: Fault[];
  readonly isGood: boolean;
  readonly isLarge: boolean;
  /** The run is answered later. */
  readonly isAsync: boolean;
  readonly isOverlapping: boolean;
}
const scenario = fc.record<Scenario>({
  faults: sequence(12),
  isGood: fc.boolean(),
  isLarge: fc.boolean(),
  isAsync: fc.boolean(),
  isOverlapping: fc.boolean(),
});

const bodyOf = ({ isGood, isLarge, isAsync }: Scenario): RunsCreateBody => ({
  suite: 'returns',
  output: `${isGood ? 'within 30 days' : 'never'}${' '.repeat(isLarge ? 100_000 : 0)}`,
  ...(isAsync && { async: true }),
});

async function play(drawn: Scenario): Promise<void> {
  if (played++ % SEQUENCES_OF_ONE === 0) gated = await aGate(url);
  const before = await countsOf(gated);
  const more = (runs: number) => ({ runs: before.runs + runs, used: before.used + runs });
  const gate = clientThroughProxy(gated.apiKey, drawn.isOverlapping);
  const body = bodyOf(drawn);
  const options = { wait: '24h' };
  const expectOutcome = ({ status }: Outcome) => expect(status).toBe(drawn.isGood ? 'cleared' : 'aborted');
  proxy.play(drawn.faults);
  const ended = await gate.run(body, options).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error }),
  );
  await proxy.settled();
  const after = await countsOf(gated);
  if ('outcome' in ended) {
    expect(after).toEqual(more(1));
    expectOutcome(ended.outcome);
    return;
  }
  const { error } = ended;
  expect([more(0), more(1)]).toContainEqual(after);
  if (!(error instanceof EvalgateError)) throw error;
  expect(error.message).toMatch(
    /^(The connection to |No answer within |HTTP \d{3}|The answer was cut off|[A-Z].+\.$)/,
  );
  expect(error.message.length).toBeLessThan(400);
  proxy.play([]);
  // A caller who goes on with the key of the error gets the same run.
  expect(error.idempotencyKey).toMatch(/^[\w-]{36}$/);
  expectOutcome(await gate.run(body, { ...options, idempotencyKey: error.idempotencyKey }));
  expect(await countsOf(gated)).toEqual(more(1));
}

test('one run() is one run and one bill, whatever requests and answers get lost, cut or replaced', async () => {
  await fc.assert(fc.asyncProperty(scenario, play), { numRuns: numRuns(60) });
});
