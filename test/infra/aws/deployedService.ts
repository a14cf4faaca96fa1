import { randomBytes, randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { WORKERS } from '../../../infra/aws/functions.ts';
import { type Rights, rightsOf } from '../../../infra/aws/rights.ts';
import { type Handler, loadFunction, loadFunctions } from '../../../infra/local/functions.ts';
import { startHttpServer } from '../../../infra/local/httpServer.ts';
import { ORIGIN_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../../../shared/contracts/edge.ts';
import { contracts } from '../../../shared/contracts/registry.ts';
import type { QueueHandler } from '../../../shared/queue/consumer.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { createRuntime, type Runtime } from '../../../shared/runtime/runtime.ts';
import { startOwnTable, TABLE_NAME } from '../../support/ownService.ts';
import { type Providers, startProviders } from '../../support/providers.ts';
import { startOwnQueues } from '../../support/queues.ts';
import { type StripeStandIn, startStripe } from '../../support/stripe.ts';
import { tokenKeys } from '../../support/tokenKeys.ts';
import { guardedTable } from './guardedTable.ts';

const ORIGIN_SECRET = randomBytes(24).toString('hex');

export interface LogLine {
  readonly id: string;
  readonly code: string;
  readonly [field: string]: unknown;
}

export interface DeployedService {
  readonly baseUrl: string;
  /** The functions themselves: what is sent there did not come through the edge. */
  readonly originUrl: string;
  readonly stripe: StripeStandIn;
  readonly providers: Providers;
  readonly lines: LogLine[];
  readonly errors: LogLine[];
  /** Runs what is scheduled once. */
  run(workerId: string): Promise<unknown>;
  stop(): Promise<void>;
}

type Composed<H> = H & { withRuntime(runtime: Runtime): H };
type Scheduled = (event: { detail: { nudgeAfterMs?: number } }) => Promise<unknown>;

/**
 * The service as it is deployed: every function by itself, with the variables and the rights that the deployment gives
 * it and no others, behind an edge under which every request comes from another address.
 */
export async function startDeployedService(): Promise<DeployedService> {
  const { folder, table, endpoint, stop } = await startOwnTable();
  const [queues, stripe, providers] = await Promise.all([startOwnQueues(), startStripe(), startProviders()]);
  writeFileSync(folder.vaultKeyFile, randomBytes(32), { mode: 0o600 });
  const tokens = tokenKeys(1);
  Object.assign(process.env, providers.env);
  const lines: LogLine[] = [];
  const errors: LogLine[] = [];

  const variablesOf = (rights: Rights): Record<string, string> => ({
    TABLE_NAME,
    DYNAMODB_ENDPOINT: endpoint,
    ORIGIN_SECRETS: ORIGIN_SECRET,
    RATE_LIMIT_WAIT_MS: '10000',
    ...(rights.vault && { VAULT_KEY_FILE: folder.vaultKeyFile }),
    ...(rights.tokens && { TOKEN_KEY_FILES: tokens.keys.map(({ file }) => file).join() }),
    ...(rights.queue && { QUEUE_URL: queues.runs.url, SQS_ENDPOINT: queues.endpoint }),
    ...(rights.payments && stripe.env),
  });
  function deployed<H>(id: string, handler: H): H {
    const rights = rightsOf(id);
    const runtime = createRuntime(readConfig(variablesOf(rights)), {
      table: guardedTable(table, rights.table, id),
      log: (level, code, fields) => {
        const line = { id, code, ...fields };
        lines.push(line);
        if (level === 'error') errors.push(line);
      },
      newId: randomUUID,
    });
    return (handler as Composed<H>).withRuntime(runtime);
  }
  const worker = async <H>(id: string): Promise<H> => deployed(id, await loadFunction<H>(id));

  const origin = [...(await loadFunctions(contracts))].map(
    ([id, handler]) => [id, deployed(id, handler)] as const,
  );
  const edge = origin.map(([id, handler]): [string, Handler] => [
    id,
    (event, context) => handler({ ...event, headers: throughEdge(event.headers) }, context),
  ]);
  const serve = (functions: readonly (readonly [string, Handler])[]) =>
    startHttpServer({ host: '127.0.0.1', port: 0, contracts, functions: new Map(functions) });
  queues.consume(queues.runs, await worker<QueueHandler>(WORKERS.evaluate));
  queues.consume(queues.deadLetters, await worker<QueueHandler>(WORKERS.deadLetters));
  const servers = [await serve(edge), await serve(origin)];
  const [baseUrl = '', originUrl = ''] = servers.map(({ port }) => `http://127.0.0.1:${port}`);
  return {
    baseUrl,
    originUrl,
    stripe,
    providers,
    lines,
    errors,
    run: async (id) => (await worker<Scheduled>(id))({ detail: { nudgeAfterMs: 0 } }),
    async stop() {
      for (const server of servers) await server.stop();
      await queues.stop();
      await Promise.all([stripe.stop(), providers.stop(), stop()]);
      rmSync(tokens.folder, { recursive: true, force: true });
    },
  };
}

let requests = 0;
const throughEdge = (headers: Record<string, string | undefined>) => {
  requests++;
  const network = `${(requests >> 16).toString(16)}:${(requests & 0xffff).toString(16)}`;
  return {
    ...headers,
    [ORIGIN_SECRET_HEADER]: ORIGIN_SECRET,
    [VIEWER_ADDRESS_HEADER]: `2001:db8:${network}::1:50000`,
  };
};
