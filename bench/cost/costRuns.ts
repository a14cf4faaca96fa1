import { setTimeout as sleep } from 'node:timers/promises';
import type { PlanId } from '../../shared/contracts/auth.ts';
import { SLOTS_MAX } from '../../shared/domain/evaluation/limits.ts';
import { makeKey } from '../../test/functions/byokKeys/keys.ts';
import { judgeOf, newRawKey } from '../../test/functions/judged/gate.ts';
import { makeGate } from '../../test/functions/runs/gate.ts';
import { signUp } from '../../test/support/api.ts';
import { makeCase, makeScorer } from '../../test/support/builders.ts';
import { changePlan } from '../../test/support/changePlan.ts';
import { type Answer, verdict } from '../../test/support/providers.ts';
import { eventually } from '../../test/support/service.ts';
import { submit } from '../../test/support/stage.ts';
import { answeredGate, sentBy } from '../answers.ts';
import { fillGate, OUTPUT } from '../suite.ts';
import { type Counts, countDuring } from './costCounts.ts';
import type { MeteredService } from './meteredService.ts';

export const CASES = 100;

interface JudgedRuns {
  /** Cases, each with one call of a judge. */
  readonly calls: number;
  /** How often the caller asks for the verdict. */
  readonly looks: number;
}
export const TWO_CALLS: JudgedRuns = { calls: 2, looks: 1 };
/** More than there are slots: calls wait for those of others. */
export const FIFTY_CALLS: JudgedRuns = { calls: 50, looks: 1 };

/** Of one call, where they wait for slots. */
const CALL_MS = 300;
const RUNS_BEFORE = 2;
/** Longer than the interval at which a key's last use is stored, so that each run includes its cost. */
const BETWEEN_RUNS_MS = 61_000;

const outputOf = (nth: number): string => `${OUTPUT} Ticket ${nth}.`;

/** Counts `runs` runs one by one, after two uncounted ones. */
async function warmRuns(
  metered: MeteredService,
  runs: number,
  run: (nth: number) => Promise<unknown>,
): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (let nth = 1; nth <= RUNS_BEFORE + runs; nth++) {
    metered.clock.ms += BETWEEN_RUNS_MS;
    const counted = await countDuring(metered, () => run(nth));
    if (nth > RUNS_BEFORE) counts.push(counted);
  }
  return counts;
}

/** `POST /v1/run` of 100 cases, a mix of the four deterministic scorers, of which half pass. */
export async function countSyncRuns(
  metered: MeteredService,
  runs: number,
  plan: PlanId = 'free',
): Promise<Counts[]> {
  const gate = await makeGate(metered.baseUrl, { pass_threshold: 0.5 }, await signUp(metered.baseUrl));
  await fillGate(gate, metered.table, CASES);
  if (plan !== 'free') await changePlan(metered.table, gate.project.org_id, plan, metered.clock.ms);
  return warmRuns(metered, runs, async (nth) => {
    const { total_cases } = await gate.run(outputOf(nth));
    if (total_cases !== CASES) throw new Error(`The run had ${total_cases} cases`);
  });
}

/** `POST /v1/run` of 100 cases with an output of 2 kB for each, that all pass. */
export async function countOwnOutputs(metered: MeteredService, runs: number): Promise<Counts[]> {
  const { gate, body } = await ownOutputs(metered);
  return warmRuns(metered, runs, async (nth) => {
    const { status, body: run } = await gate.client('POST', '/v1/run', body(nth));
    if (status !== 200 || run.passed_cases !== CASES) throw new Error(JSON.stringify(run));
  });
}

/** The same with `async`, its evaluation, and one `GET` of the run. */
export async function countQueuedOutputs(metered: MeteredService, runs: number): Promise<Counts[]> {
  const { gate, body } = await ownOutputs(metered);
  return warmRuns(metered, runs, async (nth) => {
    const id = await submit(gate.client, body(nth));
    await eventually(() => isDone(metered.meters.queue.exchanges));
    const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
    if (data.passed_cases !== CASES) throw new Error(JSON.stringify(data));
  });
}

async function ownOutputs({ baseUrl, table }: MeteredService) {
  const gate = await answeredGate({ baseUrl, table }, CASES);
  const body = (nth: number) => ({ suite: gate.suite.slug, ...sentBy('own outputs', nth, CASES) });
  return { gate, body };
}

const RUBRIC = [
  'The answer names the period within which items can be returned and what condition they must be in.',
  'It states how to start a return and when the money comes back. It promises nothing that the policy does not hold.',
].join(' ');

/** Of a typical length. */
const REASONING =
  'The answer states the 30 days and the condition of the items, and explains the label. '.repeat(4);

/** Answers when all calls of a run wait, as with real models, which take seconds. */
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

/** Calls wait for the slots of others: answers take a while, so that all slots are in use. */
const slowly =
  (answer: Answer): Answer =>
  async (call, response) => {
    await sleep(CALL_MS);
    await answer(call, response);
  };

/** `POST /v1/run` with `async`, its evaluation with calls of a judge, and some `GET` of the run. */
export async function countJudgedRuns(
  metered: MeteredService,
  runs: number,
  { calls, looks }: JudgedRuns,
): Promise<Counts[]> {
  const { baseUrl, providers, meters } = metered;
  const client = await signUp(baseUrl);
  const gate = await makeGate(baseUrl, {}, client);
  await makeKey(client, { key: newRawKey() });
  const scorer = await makeScorer(client, gate.project, judgeOf(providers, 'openai', { rubric: RUBRIC }));
  for (let nth = 0; nth < calls; nth++) {
    const input = { question: `How do I send item ${nth} back?` };
    await makeCase(client, gate.suite, scorer, { name: `return policy ${nth}`, input });
  }
  const answer = verdict({ reasoning: REASONING });
  providers.always('openai', calls <= SLOTS_MAX ? together(calls, answer) : slowly(answer));
  return warmRuns(metered, runs, async (nth) => {
    const id = await submit(client, { suite: gate.suite.slug, output: outputOf(nth) });
    await eventually(() => isDone(meters.queue.exchanges));
    for (let look = 0; look < looks; look++) {
      const { data } = (await client('GET', `/v1/runs/${id}`)).body;
      if (data.status !== 'cleared' || data.passed_cases !== calls) throw new Error(JSON.stringify(data));
    }
  });
}

/** Whether every sent message was handled and deleted. */
function isDone(exchanges: MeteredService['meters']['queue']['exchanges']): boolean {
  const entries = (name: string): number =>
    exchanges
      .filter(({ operation }) => operation === name)
      .reduce((sum, { sent }) => sum + (sent.Entries?.length ?? 1), 0);
  return entries('DeleteMessageBatch') === entries('SendMessageBatch');
}
