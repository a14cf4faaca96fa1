import { makeKey } from '../../test/functions/byokKeys/keys.ts';
import { judgeOf, newRawKey } from '../../test/functions/judged/gate.ts';
import { makeGate } from '../../test/functions/runs/gate.ts';
import { signUp } from '../../test/support/api.ts';
import { makeCase, makeScorer } from '../../test/support/builders.ts';
import { type Answer, verdict } from '../../test/support/providers.ts';
import { eventually } from '../../test/support/service.ts';
import { submit } from '../../test/support/stage.ts';
import { fillGate, OUTPUT } from '../suite.ts';
import { type Counts, countDuring } from './costCounts.ts';
import type { MeteredHouse } from './costHouse.ts';

export const CASES = 100;
export const JUDGE_CALLS = 2;

const RUNS_BEFORE = 2;
/** After so long a key's use is noted anew, so that each run bears the cost of it. */
const BETWEEN_RUNS_MS = 61_000;

const outputOf = (nth: number): string => `${OUTPUT} Ticket ${nth}.`;

/** So many runs, one by one, on functions that have made two before. */
async function warmRuns(
  house: MeteredHouse,
  runs: number,
  run: (nth: number) => Promise<unknown>,
): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let nth = 1; nth <= RUNS_BEFORE + runs; nth++) {
    house.clock.ms += BETWEEN_RUNS_MS;
    const counted = await countDuring(house, () => run(nth));
    if (nth > RUNS_BEFORE) counts.push(counted);
  }
  return counts;
}

/** `POST /v1/run` of 100 cases, a mix of the four deterministic scorers, of which half pass. */
export async function countSyncRuns(house: MeteredHouse, runs: number): Promise<Counts[]> {
  const gate = await makeGate(house.baseUrl, { pass_threshold: 0.5 }, await signUp(house.baseUrl));
  await fillGate(gate, house.table, CASES);
  return warmRuns(house, runs, async (nth) => {
    const { total_cases } = await gate.run(outputOf(nth));
    if (total_cases !== CASES) throw new Error(`The run had ${total_cases} cases`);
  });
}

const RUBRIC = [
  'The answer names the period within which items can be returned and what condition they must be in.',
  'It says how to start a return and when the money comes back. It promises nothing that the policy does not hold.',
].join(' ');

/** As long as models make it. */
const REASONING =
  'The answer states the 30 days and the condition of the items, and explains the label. '.repeat(4);

/** Models take seconds, so that the calls of a run all wait at the same time. */
function together(calls: number, answer: Answer): Answer {
  const waiting: (() => void)[] = [];
  return async (call, response) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length === calls) for (const goOn of waiting.splice(0)) goOn();
    });
    await answer(call, response);
  };
}

/** `POST /v1/run` with `async`, its evaluation with two calls of a judge, and one `GET` of the run. */
export async function countJudgedRuns(house: MeteredHouse, runs: number): Promise<Counts[]> {
  const { baseUrl, providers, meters } = house;
  const client = await signUp(baseUrl);
  const gate = await makeGate(baseUrl, {}, client);
  await makeKey(client, { key: newRawKey() });
  const scorer = await makeScorer(client, gate.project, judgeOf(providers, 'openai', { rubric: RUBRIC }));
  for (let nth = 0; nth < JUDGE_CALLS; nth++) {
    const input = { question: `How do I send item ${nth} back?` };
    await makeCase(client, gate.suite, scorer, { name: `return policy ${nth}`, input });
  }
  providers.always('openai', together(JUDGE_CALLS, verdict({ reasoning: REASONING })));
  return warmRuns(house, runs, async (nth) => {
    const id = await submit(client, { suite: gate.suite.slug, output: outputOf(nth) });
    await eventually(() => isDone(meters.queue.exchanges));
    const { data } = (await client('GET', `/v1/runs/${id}`)).body;
    if (data.status !== 'cleared' || data.passed_cases !== JUDGE_CALLS) throw new Error(JSON.stringify(data));
  });
}

/** Every message that was sent was handled and deleted. */
function isDone(exchanges: MeteredHouse['meters']['queue']['exchanges']): boolean {
  const entries = (name: string): number =>
    exchanges
      .filter(({ operation }) => operation === name)
      .reduce((sum, { sent }) => sum + (sent.Entries?.length ?? 1), 0);
  return entries('DeleteMessageBatch') === entries('SendMessageBatch');
}
