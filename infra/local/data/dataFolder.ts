import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorCode, messageOf, StartupError } from '../startupError.ts';
import { writePrivateFile } from './privateFile.ts';

export interface DataFolder {
  readonly path: string;
  readonly lockFile: string;
  readonly databaseFile: string;
  readonly apiKeyFile: string;
  /** The master key that BYOK keys are encrypted under. */
  readonly vaultKeyFile: string;
  /** The private key that tokens are signed by. */
  readonly tokenKeyFile: string;
  /** The private key that statements are signed by. */
  readonly statementKeyFile: string;
  /** The state of the simulated payment provider, with its keys. */
  readonly paymentsFile: string;
  readonly enginePidFile: string;
  /** Process id and base URL of the service that runs on this folder, and the address of its engine. */
  readonly serviceFile: string;
  /** Place and time of the latest copy of this folder. */
  readonly lastCopyFile: string;
}

/** Of what the database holds. */
const FORMAT = '2';
const ELSEWHERE = 'set EVALGATE_DATA_DIR to a folder that can be written to';

/** Of a service that has run: another folder is not made. */
export function openUsedDataFolder(folder: string): DataFolder {
  if (!existsSync(databaseIn(folder)))
    throw new StartupError(
      `The folder ${folder} holds no data of a service: set EVALGATE_DATA_DIR to the one that it runs on.`,
    );
  return openDataFolder(folder);
}

const databaseIn = (folder: string): string => path.join(folder, 'dynamodb.sqlite');

export function openDataFolder(folder: string): DataFolder {
  try {
    makeFolder(folder);
    if (!statSync(folder).isDirectory()) throw notAFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOTDIR') throw notAFolder(folder);
    throw new StartupError(
      `The data folder ${folder} cannot be written to (${messageOf(error)}): ${ELSEWHERE}.`,
    );
  }
  const databaseFile = databaseIn(folder);
  requireFormat(path.join(folder, 'format'), databaseFile);
  return {
    path: folder,
    lockFile: path.join(folder, 'lock'),
    databaseFile,
    apiKeyFile: path.join(folder, 'api-key'),
    vaultKeyFile: path.join(folder, 'vault-key'),
    tokenKeyFile: path.join(folder, 'token-key.pem'),
    statementKeyFile: path.join(folder, 'statement-key.pem'),
    paymentsFile: path.join(folder, 'payments.json'),
    enginePidFile: path.join(folder, 'engine.pid'),
    serviceFile: path.join(folder, 'service.json'),
    lastCopyFile: path.join(folder, 'last-copy'),
  };
}

/**
 * Sets the mode of a new folder only: an existing one keeps its owner's choice.
 * Not `recursive`, which never returns on a file system without folders, such as /proc.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** A folder without a database gets the present format. */
function requireFormat(formatFile: string, databaseFile: string): void {
  const hasDatabase = existsSync(databaseFile);
  const kept = existsSync(formatFile) ? readFileSync(formatFile, 'utf8').trim() : undefined;
  if (!hasDatabase && !kept) writePrivateFile(formatFile, FORMAT);
  const format = kept || (hasDatabase ? (kept ?? '1') : FORMAT);
  if (format === FORMAT) return;
  if (format === '') {
    throw new StartupError(
      `The file ${formatFile} is empty: it holds the format of the database; nothing else is lost. If this version wrote the folder, repair it (echo ${FORMAT} > ${formatFile}), else restore a copy.`,
    );
  }
  if (format !== '1')
    throw new StartupError(`This data folder is of a later version (format ${format}): ${ELSEWHERE}.`);
  throw new StartupError(
    'This data folder is of an earlier version: pull your suites with that version (`evalgate pull`), choose another EVALGATE_DATA_DIR and push them.',
  );
}

function notAFolder(folder: string): StartupError {
  return new StartupError(`The data folder ${folder} is a file or lies below one: ${ELSEWHERE}.`);
}
