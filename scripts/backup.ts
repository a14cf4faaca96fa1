import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readConfig } from '../infra/local/config.ts';
import { recordCopy } from '../infra/local/data/copies.ts';
import { type DataFolder, openUsedDataFolder } from '../infra/local/data/dataFolder.ts';
import { StartupError } from '../infra/local/startupError.ts';

/**
 * Copies the data folder of a service that may be running: `node scripts/with-node.mjs --runtime scripts/backup.ts <new
 * folder>`. A service starts on the copy as on the folder itself.
 */
const [target] = process.argv.slice(2);
if (target === undefined || existsSync(target)) {
  process.stderr.write(
    'evalgate: give a folder that is not there yet, into which the data folder is copied.\n',
  );
  process.exit(2);
}
process.umask(0o077);
const folder = usedFolder();
mkdirSync(target, { recursive: true, mode: 0o700 });
const database = new DatabaseSync(folder.databaseFile, { readOnly: true });
await backup(database, path.join(target, path.basename(folder.databaseFile)));
database.close();
// Written once, or as a whole, each: a copy of them is never half of one.
const { apiKeyFile, vaultKeyFile, tokenKeyFile, statementKeyFile, paymentsFile } = folder;
const keyFiles = [apiKeyFile, vaultKeyFile, tokenKeyFile, statementKeyFile];
for (const file of [path.join(folder.path, 'format'), ...keyFiles, paymentsFile])
  if (existsSync(file)) copyFileSync(file, path.join(target, path.basename(file)));
recordCopy(folder, path.resolve(target));
process.stdout.write(`${target}\n`);

function usedFolder(): DataFolder {
  try {
    return openUsedDataFolder(readConfig(process.env).dataDir);
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    process.stderr.write(`evalgate: ${error.message}\n`);
    process.exit(1);
  }
}
