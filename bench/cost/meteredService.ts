import { randomUUID } from 'node:crypto';
import { handler as reportOverage } from '../../functions/billing/reportOverage.ts';
import { handler as evaluate } from '../../functions/evaluator/evaluate.ts';
import { handler as purge } from '../../functions/evaluator/purge.ts';
import { handler as resumeRetention } from '../../functions/evaluator/resumeRetention.ts';
import { handler as sweep } from '../../functions/evaluator/sweep.ts';
import { type Handler, loadFunctions } from '../../infra/local/http/functions.ts';
import { startHttpServer } from '../../infra/local/http/httpServer.ts';
import { startQueueEngine } from '../../infra/local/queue/engine.ts';
import { startEventSource } from '../../infra/local/queue/eventSource.ts';
import { invokeWithBatch } from '../../infra/local/queue/invoke.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import type { HttpHandler } from '../../shared/http/endpoint.ts';
import { createJudge } from '../../shared/judge/judge.ts';
import { loggedJudge } from '../../shared/judge/loggedJudge.ts';
import { judgeSettingsFromEnv } from '../../shared/judge/settings.ts';
import { ensureQueues } from '../../shared/queue/ensureQueues.ts';
import { queueReader } from '../../shared/queue/queueReader.ts';
import { RECEIVES_MAX, VISIBILITY_TIMEOUT_SECONDS } from '../../shared/queue/settings.ts';
import { readConfig } from '../../shared/runtime/config.ts';
import { createLog } from '../../shared/runtime/log.ts';
import { createRuntime, type Runtime } from '../../shared/runtime/runtime.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import { type KmsStandIn, startKms } from '../../test/support/kms.ts';
import { startEngineTable, TABLE_NAME } from '../../test/support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../test/support/paymentProvider.ts';
import { type Providers, startProviders } from '../../test/support/providers.ts';
import { type Meter, startMeter } from './costMeter.ts';

export type FunctionKind = 'api' | 'evaluator' | 'scheduled';

export interface Invocation {
  readonly id: string;
  readonly kind: FunctionKind;
  readonly ms: number;
}

/** The whole service in this process, each function with its own runtime, and meters before HTTP, table and queue. */
export interface MeteredService {
  readonly baseUrl: string;
  /** Bypasses the meter, for uncounted requests. */
  readonly table: Table;
  readonly providers: Providers;
  /** The service's clock, which only moves when set. */
  readonly clock: { ms: number };
  readonly meters: { readonly http: Meter; readonly table: Meter; readonly queue: Meter };
  readonly kms: KmsStandIn;
  readonly invocations: Invocation[];
  readonly logLines: string[];
  readonly scheduled: Readonly<
    Record<'sweep' | 'resumeRetention' | 'purge' | 'reportOverage', () => Promise<unknown>>
  >;
  stop(): Promise<void>;
}

const MASTER_KEY = 'alias/evalgate';
/** In the middle of a day, and later than any real run. */
const NOON_MS = Date.parse('2036-01-16T12:00:00.000Z');

interface Engines {
  readonly tableEngine: Awaited<ReturnType<typeof startEngineTable>>;
  readonly queueEngine: Awaited<ReturnType<typeof startQueueEngine>>;
  readonly kms: KmsStandIn;
  readonly providers: Providers;
  readonly stripe: PaymentProvider;
  readonly table: Meter;
  readonly queue: Meter;
}

async function startEngines(now: () => number): Promise<Engines> {
  const tableEngine = await startEngineTable(now);
  const queueEngine = await startQueueEngine();
  return {
    tableEngine,
    queueEngine,
    kms: await startKms(MASTER_KEY),
    providers: await startProviders(),
    stripe: await startPaymentProvider(),
    table: await startMeter(tableEngine.endpoint),
    queue: await startMeter(queueEngine.endpoint),
  };
}

const configOf = ({ table, queue, kms, stripe }: Engines, queueUrl: string) =>
  readConfig({
    TABLE_NAME,
    DYNAMODB_ENDPOINT: table.endpoint,
    SQS_ENDPOINT: queue.endpoint,
    QUEUE_URL: queueUrl,
    KMS_ENDPOINT: kms.endpoint,
    KMS_KEY_ID: MASTER_KEY,
    RATE_LIMITS: 'on',
    // The longest wait: a busy machine must not count as a failing table.
    RATE_LIMIT_WAIT_MS: '10000',
    ...stripe.env,
  });

/** Records the duration of every invocation. */
const timerOf =
  (invocations: Invocation[]) =>
  <Args extends unknown[], Result>(
    id: string,
    kind: FunctionKind,
    handler: (...args: Args) => Promise<Result>,
  ) =>
  async (...args: Args): Promise<Result> => {
    const startedMs = performance.now();
    const answer = await handler(...args);
    invocations.push({ id, kind, ms: performance.now() - startedMs });
    return answer;
  };

type ComposedHandler = HttpHandler & { withRuntime(runtime: Runtime): HttpHandler };

export async function startMeteredService(): Promise<MeteredService> {
  const clock = { ms: NOON_MS };
  const now = () => clock.ms;
  const engines = await startEngines(now);
  const { tableEngine, kms, providers, stripe } = engines;
  const { runs } = await ensureQueues(engines.queue.endpoint, {
    name: 'evalgate-runs',
    visibilityTimeoutSeconds: VISIBILITY_TIMEOUT_SECONDS,
    maxReceiveCount: RECEIVES_MAX,
  });
  const config = configOf(engines, runs.url);
  const logLines: string[] = [];
  const log = createLog(config.logLevel, (line) => void logLines.push(line));
  const newRuntime = () => createRuntime(config, { now, log, newId: randomUUID });

  const invocations: Invocation[] = [];
  const timed = timerOf(invocations);
  const loaded = [...(await loadFunctions(contracts))].map(([id, handler]): [string, Handler] => [
    id,
    timed(id, 'api', (handler as ComposedHandler).withRuntime(newRuntime())),
  ]);
  const functions = new Map(loaded);
  const server = await startHttpServer({ host: '127.0.0.1', port: 0, contracts, functions });
  const http = await startMeter(`http://127.0.0.1:${server.port}`);

  const judge = loggedJudge(createJudge(judgeSettingsFromEnv(providers.env)), (provider, outcome) =>
    log('info', 'case_judged', { provider, outcome }),
  );
  const id = 'evaluator/evaluate';
  const evaluator = timed(id, 'evaluator', evaluate.withRuntime(newRuntime(), { judge }));
  const source = startEventSource({
    reader: queueReader({ ...runs, endpoint: engines.queue.endpoint }),
    invoke: (records) => invokeWithBatch(id, async () => evaluator, records),
  });
  const every = (
    name: string,
    handler: { withRuntime(runtime: Runtime): (event: object) => Promise<unknown> },
  ) => {
    const composed = timed(name, 'scheduled', handler.withRuntime(newRuntime()));
    return () => composed({});
  };
  return {
    baseUrl: http.endpoint,
    table: tableEngine.table,
    providers,
    clock,
    meters: { http, table: engines.table, queue: engines.queue },
    kms,
    invocations,
    logLines,
    scheduled: {
      sweep: every('evaluator/sweep', sweep),
      resumeRetention: every('evaluator/resumeRetention', resumeRetention),
      purge: every('evaluator/purge', purge),
      reportOverage: every('billing/reportOverage', reportOverage),
    },
    async stop() {
      await source.stop();
      await http.stop();
      await server.stop();
      for (const engine of [
        engines.queue,
        engines.table,
        engines.queueEngine,
        providers,
        stripe,
        kms,
        tableEngine,
      ])
        await engine.stop();
    },
  };
}
