import { setTimeout as delay } from 'node:timers/promises';
import { contracts } from '../../shared/contracts/registry.ts';
import { baseUrlFromEnv } from '../../shared/runtime/baseUrl.ts';
import { readStatements } from '../../shared/runtime/statementsConfig.ts';
import type { LocalConfig } from './config.ts';
import { countClosedKeys } from './data/closedKeys.ts';
import { type DataFolder, openDataFolder } from './data/dataFolder.ts';
import { lockDataFolder } from './data/dataFolderLock.ts';
import { explainedStart } from './data/diskFault.ts';
import { ensureApiKey, type LocalAccounts, type LocalApiKey } from './data/firstStart.ts';
import { checkKeys, ensureKey, STATEMENTS, TOKENS } from './data/signingKey.ts';
import { watchStorage } from './data/storageWatch.ts';
import { ensureVaultKey } from './data/vaultKey.ts';
import { startEngine } from './engine/engine.ts';
import { findEngine } from './engine/engineCommand.ts';
import {
  provideBaseUrl,
  provideFunctionEnvironment,
  providePaymentEnvironment,
  provideVaultEnvironment,
} from './environment.ts';
import { checkFunctionConfig } from './functionConfig.ts';
import { dashboard } from './http/dashboard.ts';
import { isFromHere, isLocal } from './http/fromHere.ts';
import { loadFunctions } from './http/functions.ts';
import { type Pages, startHttpServer } from './http/httpServer.ts';
import { metricsPage } from './http/metricsPage.ts';
import { staticPages } from './http/staticPages.ts';
import { createMetrics } from './metrics/metrics.ts';
import { connectPayments } from './payments/connect.ts';
import { startOverageReports } from './payments/overageReports.ts';
import { connectQueues } from './queue/connect.ts';
import { startEvaluator } from './queue/evaluator.ts';
import { reasonOf, StartupError } from './startupError.ts';

export interface LocalService {
  readonly baseUrl: string;
  readonly apiKey: LocalApiKey;
  readonly apiKeyFile: string;
  readonly dataDir: string;
  /** The payment provider, in words. */
  readonly payments: string;
  /** How many provider keys of the folder's organisation its vault key does not open. */
  readonly closedKeys: number;
  /** Settles only when the service cannot continue. */
  readonly failure: Promise<StartupError>;
  stop(): Promise<void>;
}

const TABLE_DEADLINE_MS = 20_000;

/** Starts everything, or stops what it started and throws a `StartupError`. */
export async function startLocalService(config: LocalConfig): Promise<LocalService> {
  try {
    return await start(config);
  } catch (error) {
    throw explainedStart(error, config.dataDir);
  }
}

async function start(config: LocalConfig): Promise<LocalService> {
  if (config.payments.kind !== 'stripe') providePaymentEnvironment({});
  const { tokenKeys, signUp, originSecrets } = checkFunctionConfig(process.env);
  const folder = openDataFolder(config.dataDir);
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  try {
    const lock = lockDataFolder(folder);
    stops.push(() => lock.release());

    const database = await connectDatabase(config, folder);
    stops.push(() => database.stop());

    const queues = await connectQueues(config);
    stops.push(() => queues.stop());

    provideVault(config, folder);
    if (tokenKeys === undefined) process.env.TOKEN_KEY_FILES = await ensureKey(folder.tokenKeyFile, TOKENS);
    else checkKeys(tokenKeys, TOKENS);
    const statementKeys = readStatements(process.env);
    if (statementKeys === undefined)
      process.env.STATEMENT_KEY_FILES = await ensureKey(folder.statementKeyFile, STATEMENTS);
    else checkKeys(statementKeys, STATEMENTS);
    const payments = await connectPayments(config, folder);
    stops.push(() => payments.stop());

    const metrics = createMetrics(queues);
    const { runtimeFromEnv } = await import('../../shared/runtime/runtime.ts');
    const { host, port, functionTimeoutMs } = config;
    const isLaptop = isLocal({ host, baseUrl: baseUrlFromEnv(process.env), originSecrets });
    runtimeFromEnv((runtime) => ({ ...metrics.watch(runtime), ...(isLaptop && { isFromHere }) }));
    const functions = await loadFunctions(contracts);
    // The folder's lock reserves our own engines for this process.
    const isAlone = config.dynamodbEndpoint === undefined && config.sqs === undefined;
    const evaluator = await startEvaluator(queues, { isAlone });
    stops.push(() => evaluator.stop());
    // Before the server listens, so that the key's file exists once the service is healthy.
    const apiKey = await ensureApiKey(folder, await openAccounts(config));
    const closedKeys = config.kms === undefined ? await countClosedKeys(folder, apiKey) : 0;
    const sold = config.payments.kind === 'off' ? 'off' : 'on';
    const { signInOrganisation } = config;
    const offers = { sign_up: signUp, payments: sold, sign_in_organisation: signInOrganisation } as const;
    const [app, files] = [dashboard(offers), staticPages()];
    const watched = metricsPage({ token: config.metricsToken, isLocal: isLaptop }, metrics.text);
    const pages: Pages = async (request) =>
      watched(request) ?? (await app(request)) ?? files(request) ?? payments.pages?.(request);
    const server = await startHttpServer({
      host,
      port,
      contracts,
      functions,
      pages,
      storage: watchStorage(await openProbe()),
      countAnswer: metrics.countAnswer,
      handlerTimeoutMs: functionTimeoutMs,
    });
    stops.push(() => server.stop());

    const baseUrl = baseUrlOf(host, server.port);
    provideBaseUrl(baseUrl);
    stops.push(payments.open(baseUrl));
    if (config.payments.kind !== 'off') stops.push(await startOverageReports());
    lock.announce(baseUrl, process.env.DYNAMODB_ENDPOINT);
    const { failure } = database;
    const { apiKeyFile, path: dataDir } = folder;
    const { description } = payments;
    return { baseUrl, apiKey, apiKeyFile, dataDir, payments: description, closedKeys, failure, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function provideVault({ kms }: LocalConfig, folder: DataFolder): void {
  if (kms === undefined) ensureVaultKey(folder);
  provideVaultEnvironment(kms ?? { keyFile: folder.vaultKeyFile });
}

interface Database {
  readonly failure: Promise<StartupError>;
  stop(): Promise<void>;
}

async function connectDatabase(config: LocalConfig, folder: DataFolder): Promise<Database> {
  const { dynamodbEndpoint, tableName } = config;
  if (dynamodbEndpoint !== undefined) {
    provideFunctionEnvironment({ tableName, endpoint: dynamodbEndpoint, embedded: false });
    const remedy = 'start the engine there, or unset DYNAMODB_ENDPOINT to use the embedded one';
    await ensureTableInTime(dynamodbEndpoint, tableName, remedy);
    return { failure: new Promise(() => {}), stop: async () => {} };
  }
  const engine = await startEngine(folder, findEngine(config.engineBinary));
  try {
    provideFunctionEnvironment({ tableName, endpoint: engine.endpoint, embedded: true });
    const remedy = `move ${folder.databaseFile} away if it is broken, or set EVALGATE_DATA_DIR to another folder`;
    await ensureTableInTime(engine.endpoint, tableName, remedy);
    return engine;
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

async function ensureTableInTime(endpoint: string, tableName: string, remedy: string): Promise<void> {
  // Loaded late: the AWS SDK reads its settings from the variables just set.
  const { ensureTable } = await import('../../shared/storage/table/ensureTable.ts');
  const deadline = new AbortController();
  const late = delay(TABLE_DEADLINE_MS, undefined, { signal: deadline.signal }).then(() => {
    throw new Error(`no answer within ${TABLE_DEADLINE_MS / 1_000} s`);
  });
  try {
    await Promise.race([ensureTable({ endpoint, tableName }), late]);
  } catch (error) {
    throw new StartupError(
      `The table ${tableName} cannot be prepared on the DynamoDB engine at ${endpoint} (${reasonOf(error)}): ${remedy}.`,
    );
  } finally {
    late.catch(() => {});
    deadline.abort();
  }
}

function baseUrlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

async function openProbe(): Promise<() => Promise<void>> {
  const [{ runtimeFromEnv }, { writeProbe }] = await Promise.all([
    import('../../shared/runtime/runtime.ts'),
    import('../../shared/storage/table/health.ts'),
  ]);
  return () => writeProbe(runtimeFromEnv().table);
}

async function openAccounts({ tableName, dynamodbEndpoint, plan }: LocalConfig): Promise<LocalAccounts> {
  const [{ runtimeFromEnv }, { signUp }, { sha256OfKey }, { accountStore }, { accountMaker }] =
    await Promise.all([
      import('../../shared/runtime/runtime.ts'),
      import('../../shared/domain/accounts/signUp.ts'),
      import('../../shared/domain/accounts/apiKey.ts'),
      import('../../shared/storage/accounts/accounts.ts'),
      import('../../shared/storage/accounts/newAccounts.ts'),
    ]);
  const { table, now, newId } = runtimeFromEnv();
  const accounts = accountStore(table, now);
  return {
    async signUp() {
      const { api_key } = await signUp(
        { accounts: accountMaker(table), now, newId },
        { name: 'Local', plan },
      );
      return api_key.key;
    },
    async hasAny() {
      // A table elsewhere has its organisations whether this folder is new or not.
      if (dynamodbEndpoint !== undefined) return false;
      const { organisationsIn } = await import('../../shared/storage/accounts/organisations.ts');
      const { done } = await organisationsIn(process.env.DYNAMODB_ENDPOINT, tableName).next();
      return done !== true;
    },
    knows: async (key) => (await accounts.principalOfKey(sha256OfKey(key))) !== undefined,
  };
}
