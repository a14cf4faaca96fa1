import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { handler as acceptBaseline } from '../../functions/baselines/accept.ts';
import { handler as removeBaseline } from '../../functions/baselines/remove.ts';
import { handler as createKey } from '../../functions/byokKeys/create.ts';
import { handler as deleteKey } from '../../functions/byokKeys/delete.ts';
import { handler as testKey } from '../../functions/byokKeys/test.ts';
import { handler as createCase } from '../../functions/cases/create.ts';
import { handler as deleteCase } from '../../functions/cases/delete.ts';
import { handler as listCases } from '../../functions/cases/list.ts';
import { handler as reorderCases } from '../../functions/cases/reorder.ts';
import { handler as updateCase } from '../../functions/cases/update.ts';
import { handler as getComparison } from '../../functions/comparisons/get.ts';
import { handler as getDefinition } from '../../functions/definitions/get.ts';
import { handler as pushDefinition } from '../../functions/definitions/put.ts';
import { handler as deadLetters } from '../../functions/evaluator/deadLetters.ts';
import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import { handler as sweep } from '../../functions/evaluator/sweep.ts';
import { handler as createRun } from '../../functions/runs/create.ts';
import { handler as getRun } from '../../functions/runs/get.ts';
import { handler as listRuns } from '../../functions/runs/list.ts';
import { handler as listResults } from '../../functions/runs/results.ts';
import { handler as createScorer } from '../../functions/scorers/create.ts';
import { handler as deleteScorer } from '../../functions/scorers/delete.ts';
import { handler as updateScorer } from '../../functions/scorers/update.ts';
import { handler as copyTemplate } from '../../functions/suites/createFromTemplate.ts';
import { handler as deleteSuite } from '../../functions/suites/delete.ts';
import { handler as updateSuite } from '../../functions/suites/update.ts';
import { handler as createWaiver } from '../../functions/waivers/create.ts';
import { handler as deleteWaiver } from '../../functions/waivers/delete.ts';
import type { PlanId } from '../../shared/contracts/auth.ts';
import type { Vault } from '../../shared/domain/byok/ports.ts';
import type { Judge } from '../../shared/domain/evaluation/judging/ports.ts';
import { createSeats } from '../../shared/domain/evaluation/slots/seats.ts';
import { createSlots } from '../../shared/domain/evaluation/slots/slots.ts';
import type { CountedQueue } from '../../shared/domain/messages.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import type { QueueHandler } from '../../shared/queue/consumer.ts';
import type { Runtime } from '../../shared/runtime/runtime.ts';
import { changePlan } from '../../shared/storage/billing/planChanges.ts';
import { slotStore } from '../../shared/storage/evaluation/slots.ts';

/** The dependencies of one process's functions. */
export interface Surroundings {
  readonly runtime: Runtime;
  readonly queue: CountedQueue;
  readonly judge: Judge;
  readonly vault: Vault;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

const PLAIN = {
  'baselines/accept': acceptBaseline,
  'baselines/remove': removeBaseline,
  'comparisons/get': getComparison,
  'waivers/create': createWaiver,
  'waivers/delete': deleteWaiver,
  'runs/get': getRun,
  'runs/results': listResults,
  'runs/list': listRuns,
  'byokKeys/delete': deleteKey,
  'suites/createFromTemplate': copyTemplate,
  'definitions/get': getDefinition,
  'definitions/put': pushDefinition,
  'suites/delete': deleteSuite,
  'suites/update': updateSuite,
  'cases/create': createCase,
  'cases/update': updateCase,
  'cases/delete': deleteCase,
  'cases/list': listCases,
  'cases/reorder': reorderCases,
  'scorers/create': createScorer,
  'scorers/update': updateScorer,
  'scorers/delete': deleteScorer,
};
export type EndpointId = keyof typeof PLAIN | 'runs/create' | 'byokKeys/create' | 'byokKeys/test';

/** The deployable handlers of one process, each built once, as at its cold start. */
export class Functions {
  readonly #around: Surroundings;
  readonly #endpoints = new Map<EndpointId, HttpHandler>();
  #evaluate: QueueHandler | undefined;
  #deadLetters: QueueHandler | undefined;
  #sweep: ReturnType<typeof sweep.withRuntime> | undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  endpoint(id: EndpointId): HttpHandler {
    const built = this.#endpoints.get(id) ?? this.#build(id);
    this.#endpoints.set(id, built);
    return built;
  }

  #build(id: EndpointId): HttpHandler {
    const { runtime, queue, sleep, vault } = this.#around;
    if (id === 'runs/create') return createRun.withRuntime(runtime, { queue, sleep });
    if (id === 'byokKeys/create') return createKey.withRuntime(runtime, { vault });
    if (id === 'byokKeys/test') return testKey.withRuntime(runtime, { queue, sleep });
    return PLAIN[id].withRuntime(runtime);
  }

  get evaluate(): QueueHandler {
    const { runtime, queue, judge, vault, sleep, random } = this.#around;
    const { table, now, newId } = runtime;
    const slots = slotStore(table, now, random);
    this.#evaluate ??= evaluate.withRuntime(runtime, {
      queue,
      judge,
      vault,
      withSlot: createSlots({ slots, newId, sleep, random, now }),
      seats: createSeats({ slots, newId, now }),
      sleep,
      random,
    });
    return this.#evaluate;
  }

  /** What a payment event comes to. */
  changePlan(orgId: string, plan: PlanId) {
    const { table, now } = this.#around.runtime;
    return changePlan(table, { orgId, plan: () => plan, atMs: now(), alongside: {} });
  }

  get deadLetters(): QueueHandler {
    this.#deadLetters ??= deadLetters.withRuntime(this.#around.runtime);
    return this.#deadLetters;
  }

  get sweep() {
    this.#sweep ??= sweep.withRuntime(this.#around.runtime, { queue: this.#around.queue });
    return this.#sweep;
  }
}

export interface Call {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export function eventOf({ params, query, body, headers }: Call, apiKey: string): APIGatewayProxyEventV2 {
  return {
    version: '2.0',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    pathParameters: params,
    queryStringParameters: query,
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { http: { method: body === undefined ? 'GET' : 'POST', sourceIp: '192.0.2.1' } },
  } as unknown as APIGatewayProxyEventV2;
}

/** Without a deadline: the simulation measures a function's time. */
export const contextOf = (requestId: string): Context =>
  ({ awsRequestId: requestId, functionName: 'simulated' }) as unknown as Context;
