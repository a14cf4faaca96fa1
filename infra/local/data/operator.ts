import { readFileSync } from 'node:fs';
import type { LocalConfig } from '../config.ts';
import { startEngine } from '../engine/engine.ts';
import { findEngine } from '../engine/engineCommand.ts';
import { provideFunctionEnvironment } from '../environment.ts';
import { StartupError } from '../startupError.ts';
import { type DataFolder, openDataFolder, openUsedDataFolder } from './dataFolder.ts';
import { type DataFolderLock, lockDataFolder } from './dataFolderLock.ts';
import { readKey } from './firstStart.ts';
import { writePrivateFile } from './privateFile.ts';

/** A command of the operator, on the database of the folder. The key of a folder that has none is stored there. */
export async function operateOn(config: LocalConfig, command: object) {
  const isFirst = 'command' in command && command.command === 'create-organisation';
  const open = isFirst || config.dynamodbEndpoint !== undefined ? openDataFolder : openUsedDataFolder;
  const folder = open(config.dataDir);
  const engine = await engineOf(config, folder);
  try {
    const { tableName, plan } = config;
    const { endpoint } = engine;
    provideFunctionEnvironment({ tableName, endpoint, embedded: config.dynamodbEndpoint === undefined });
    const [{ createTable }, { operate }, { operatorStores }, { randomUUID }] = await Promise.all([
      import('../../../shared/storage/table/dynamoTable.ts'),
      import('../../../shared/domain/accounts/operate.ts'),
      import('../../../shared/storage/billing/operator.ts'),
      import('node:crypto'),
    ]);
    const now = Date.now;
    const stores = operatorStores(createTable({ name: tableName, endpoint, now }), now);
    const deps = { ...stores, plan, now, newId: randomUUID };
    const isOfOne = 'organisation' in command && command.organisation === undefined;
    const organisation = isOfOne && (await onlyOrganisation(endpoint, tableName));
    const done = await operate(deps, organisation ? { ...command, organisation } : command);
    if (done.api_key !== undefined && readKey(folder) === undefined)
      writePrivateFile(folder.apiKeyFile, `${done.api_key.key}\n`);
    return done;
  } finally {
    await engine.stop();
  }
}

/** Another engine, that of the service which runs on the folder, or one for this command. */
async function engineOf(config: LocalConfig, folder: DataFolder) {
  const stop = async (): Promise<void> => {};
  if (config.dynamodbEndpoint !== undefined) return { endpoint: config.dynamodbEndpoint, stop };
  let lock: DataFolderLock;
  try {
    lock = lockDataFolder(folder);
  } catch (error) {
    const endpoint = announcedEngine(folder);
    if (endpoint === undefined) throw error;
    return { endpoint, stop };
  }
  try {
    const engine = await startEngine(folder, findEngine(config.engineBinary));
    const { endpoint } = engine;
    provideFunctionEnvironment({ tableName: config.tableName, endpoint, embedded: true });
    const { ensureTable } = await import('../../../shared/storage/table/ensureTable.ts');
    await ensureTable({ endpoint, tableName: config.tableName });
    return { endpoint, stop: () => engine.stop().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Of the service that holds the lock of the folder. */
function announcedEngine({ serviceFile }: DataFolder): string | undefined {
  try {
    return JSON.parse(readFileSync(serviceFile, 'utf8')).engine;
  } catch {
    return undefined;
  }
}

async function onlyOrganisation(endpoint: string, tableName: string): Promise<string> {
  const { organisationsIn } = await import('../../../shared/storage/accounts/organisations.ts');
  const [first, ...otherOrganisations] = await Array.fromAsync(organisationsIn(endpoint, tableName));
  if (first === undefined)
    throw new StartupError('The database holds no organisation: `npm start` makes one.');
  if (otherOrganisations.length === 0) return first.id;
  const listed = [first, ...otherOrganisations]
    .map(({ id, name }) => `${id} (${JSON.stringify(name)})`)
    .join(', ');
  throw new StartupError(`Name one organisation by its id: ${listed}.`);
}
