import type { LocalConfig } from '../config.ts';
import { startEngine } from '../engine/engine.ts';
import { findEngine } from '../engine/engineCommand.ts';
import { provideFunctionEnvironment } from '../environment.ts';
import { StartupError } from '../startupError.ts';
import { openDataFolder } from './dataFolder.ts';
import { lockDataFolder } from './dataFolderLock.ts';
import { writePrivateFile } from './privateFile.ts';

/** A new key of scope `full` of the organisation, or of the only one; also stored as the folder's. */
export async function makeKey(config: LocalConfig, organisation: string | undefined): Promise<string> {
  const folder = openDataFolder(config.dataDir);
  const lock = lockDataFolder(folder);
  try {
    const engine =
      config.dynamodbEndpoint === undefined
        ? await startEngine(folder, findEngine(config.engineBinary))
        : undefined;
    try {
      const endpoint = config.dynamodbEndpoint ?? engine?.endpoint ?? '';
      const { tableName } = config;
      provideFunctionEnvironment({ tableName, endpoint, embedded: engine !== undefined });
      const orgId = await chosen(endpoint, tableName, organisation);
      const key = await createKey(endpoint, tableName, orgId);
      writePrivateFile(folder.apiKeyFile, `${key}\n`);
      return key;
    } finally {
      await engine?.stop();
    }
  } finally {
    lock.release();
  }
}

async function chosen(endpoint: string, tableName: string, wanted: string | undefined): Promise<string> {
  const { organisationsIn } = await import('../../../shared/storage/accounts/organisations.ts');
  const all = await Array.fromAsync(organisationsIn(endpoint, tableName));
  const [first, ...others] = wanted === undefined ? all : all.filter(({ id }) => id === wanted);
  if (first !== undefined && others.length === 0) return first.id;
  if (all.length === 0) throw new StartupError('The database holds no organisation: `npm start` makes one.');
  const listed = all.map(({ id, name }) => `${id} (${JSON.stringify(name)})`).join(', ');
  throw new StartupError(`Name one organisation by its id: ${listed}.`);
}

async function createKey(endpoint: string, tableName: string, orgId: string): Promise<string> {
  const [
    { createTable },
    { apiKeyStore },
    { keyLog },
    { newApiKey, sha256OfKey, shownPrefix },
    { randomUUID },
  ] = await Promise.all([
    import('../../../shared/storage/table/dynamoTable.ts'),
    import('../../../shared/storage/accounts/apiKeys.ts'),
    import('../../../shared/domain/accounts/keys.ts'),
    import('../../../shared/domain/accounts/apiKey.ts'),
    import('node:crypto'),
  ]);
  const key = newApiKey();
  const row = {
    id: randomUUID(),
    name: 'made on the machine',
    key_prefix: shownPrefix(key),
    project_id: null,
    scope: 'full',
    expires_at: null,
    last_used_at: null,
    created_at: new Date().toISOString(),
  } as const;
  const keys = apiKeyStore(createTable({ name: tableName, endpoint, now: Date.now }));
  const stored = { ...row, sha256: sha256OfKey(key) };
  // By the operator.
  const log = { ...keyLog(row, 'created'), at: row.created_at, by: null };
  const outcome = await keys.create(orgId, stored, Number.POSITIVE_INFINITY, log);
  if (outcome === 'created') return key;
  throw new StartupError(`No key was made for the organisation ${orgId} (${outcome}).`);
}
