import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { DataFolder } from './dataFolder.ts';
import { errorCode, messageOf, StartupError } from './startupError.ts';

export interface LocalApiKey {
  readonly key: string;
  readonly isNew: boolean;
  /** False when the key is of another database than the one in use. */
  readonly isKnown: boolean;
}

export interface LocalAccounts {
  /** Creates an organisation and answers its key. */
  signUp(): Promise<string>;
  knows(key: string): Promise<boolean>;
}

/** The key of the folder's own organisation, which is created on the first start. */
export async function ensureApiKey(folder: DataFolder, accounts: LocalAccounts): Promise<LocalApiKey> {
  const kept = readKey(folder);
  if (kept !== undefined) return { key: kept, isNew: false, isKnown: await accounts.knows(kept) };
  const key = await accounts.signUp();
  writeKey(folder, key);
  return { key, isNew: true, isKnown: true };
}

function readKey(folder: DataFolder): string | undefined {
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

/** The key is shown by nobody again: either the whole of it is in the file, for the owner alone, or there is no file. */
function writeKey(folder: DataFolder, key: string): void {
  const draft = `${folder.apiKeyFile}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, `${key}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, folder.apiKeyFile);
}
