import { readFileSync } from 'node:fs';
import { errorCode, messageOf, StartupError } from '../startupError.ts';
import type { DataFolder } from './dataFolder.ts';
import { writePrivateFile } from './privateFile.ts';

export interface LocalApiKey {
  /** Empty where it is lost. */
  readonly key: string;
  readonly isNew: boolean;
  /** False when the key belongs to another database. */
  readonly isKnown: boolean;
  /** The file is gone or empty, and the database holds an organisation. */
  readonly isLost: boolean;
}

export interface LocalAccounts {
  /** Creates an organisation and returns its key. */
  signUp(): Promise<string>;
  knows(key: string): Promise<boolean>;
  /** Whether there is an organisation. */
  hasAny(): Promise<boolean>;
}

/** The key of the folder's own organisation, which is created on the first start. */
export async function ensureApiKey(folder: DataFolder, accounts: LocalAccounts): Promise<LocalApiKey> {
  const kept = readKey(folder);
  if (kept !== undefined)
    return { key: kept, isNew: false, isKnown: await accounts.knows(kept), isLost: false };
  if (await accounts.hasAny()) return { key: '', isNew: false, isKnown: false, isLost: true };
  const key = await accounts.signUp();
  writePrivateFile(folder.apiKeyFile, `${key}\n`);
  return { key, isNew: true, isKnown: true, isLost: false };
}

export function readKey(folder: DataFolder): string | undefined {
  try {
    const key = readFileSync(folder.apiKeyFile, 'utf8').trim();
    return key === '' ? undefined : key;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new StartupError(
      `The API key file ${folder.apiKeyFile} cannot be read (${messageOf(error)}): ` +
        'make it readable, or move it away to get a new key.',
    );
  }
}
