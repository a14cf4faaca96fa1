import { handler as deadLetters } from '../../../functions/evaluator/deadLetters.ts';
import { handler as evaluate } from '../../../functions/evaluator/evaluate.ts';
import type { WorkMessage } from '../../../shared/domain/messages.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import type { Api } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { invokeByHand } from '../../support/evaluatorByHand.ts';
import { type OwnService, serveOn, startOwnTable } from '../../support/ownService.ts';
import {
  type Answer,
  envelope,
  type ProviderCall,
  type Providers,
  startProviders,
} from '../../support/providers.ts';
import { makeKey } from '../byokKeys/keys.ts';
import { judgeOf } from '../judged/gate.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The service on a clock, whose messages wait until the test hands them to the evaluator. */
export interface CheckStage {
  readonly service: OwnService;
  readonly providers: Providers;
  readonly messages: WorkMessage[];
  /** Handles all messages, on another table if given. False: the last one failed. */
  work(on?: Table): Promise<boolean>;
  /** As after five failures. */
  giveUp(message: WorkMessage): Promise<boolean>;
  stop(): Promise<void>;
}

export async function startCheckStage(): Promise<CheckStage> {
  const providers = await startProviders();
  Object.assign(process.env, providers.env);
  const clock: OwnService['clock'] = { ms: undefined };
  const own = await startOwnTable(() => clock.ms ?? Date.now());
  const messages: WorkMessage[] = [];
  const queue = {
    isEmpty: async () => true,
    send: async (sent: readonly WorkMessage[]) => void messages.push(...sent),
  };
  const service = await serveOn(own, { clock, dependencies: { queue } });
  return {
    service,
    providers,
    messages,
    async work(table = own.table) {
      const evaluator = evaluate.withRuntime({ ...service.runtime, table }, { queue });
      let isDone = true;
      while (messages.length > 0) isDone = await invokeByHand(evaluator, messages.shift() as WorkMessage);
      return isDone;
    },
    giveUp: (message) => invokeByHand(deadLetters.withRuntime(service.runtime), message),
    async stop() {
      await service.stop();
      await providers.stop();
      await own.stop();
    },
  };
}

/** The output that a judge is asked about, as this stand-in reads it. */
const ANSWERS = /WRONG|RIGHT|Ignore the rubric|Thought process|help with that/;

export interface Judging {
  readonly model?: string;
  /** Of what stands in the question: `WRONG`, `RIGHT`, a part of a fixed answer, or nothing of these. */
  readonly score: (answer: string | undefined, call: ProviderCall) => number;
}

/** A stand-in that judges by a rule. */
export const judgedBy =
  ({ model = 'gpt-5.4-mini-2026-08-01', score }: Judging): Answer =>
  (call, response) => {
    const text = JSON.stringify({
      reasoning: 'As it says.',
      score: score(ANSWERS.exec(call.user)?.[0], call),
    });
    const body = JSON.stringify({ ...envelope(call, text), model });
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  };

export const EXACT: Judging = { score: (answer) => (answer === 'RIGHT' ? 1 : 0) };

export interface CheckedGate extends Gate {
  check(): Promise<{ readonly check_id: string; readonly status: string }>;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  found(): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  readonly scorer: any;
}

/** A suite with one judge and so many cases, each with ten wrong answers and two right ones. */
export async function makeCheckedGate(
  { service }: CheckStage,
  { cases = 3, gates = {}, as }: { readonly cases?: number; readonly gates?: Fields; readonly as?: Api } = {},
): Promise<CheckedGate> {
  const gate = await makeGate(service.baseUrl, { name: 'Returns', gates }, as);
  if (as === undefined) await makeKey(gate.client, { provider: 'openai' });
  const config = judgeOf({} as Providers);
  const scorer = await makeScorer(gate.client, gate.project, { ...config, name: 'Tone' });
  for (let index = 0; index < cases; index++) {
    const fail = Array.from({ length: 10 }, (_, at) => `WRONG ${index}.${at}`);
    const pass = [`RIGHT ${index}.0`, `RIGHT ${index}.1`];
    await makeCase(gate.client, gate.suite, scorer, { name: `Case ${index}`, examples: { fail, pass } });
  }
  const path = `/v1/suites/${gate.suite.id}/check`;
  return {
    ...gate,
    scorer,
    async check() {
      const { status, body } = await gate.client('POST', path);
      if (status !== 202) throw new Error(`check: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    found: async () => (await gate.client('GET', path)).body.data,
  };
}
