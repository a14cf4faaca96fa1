import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { messageOf, StartupError } from '../startupError.ts';
import type { DataFolder } from './dataFolder.ts';
import { writePrivateFile } from './privateFile.ts';

const VAULT_KEY_BYTES = 32;

/** Creates the folder's master key on the first start. Without it the folder's BYOK keys cannot be decrypted. */
export function ensureVaultKey({ vaultKeyFile }: DataFolder): void {
  const length = lengthOf(vaultKeyFile);
  if (length === undefined) writePrivateFile(vaultKeyFile, randomBytes(VAULT_KEY_BYTES));
  else if (length !== VAULT_KEY_BYTES) {
    throw new StartupError(
      `The vault key file ${vaultKeyFile} has ${length} bytes instead of ${VAULT_KEY_BYTES}: ` +
        'bring back the right one, or move it away and add the BYOK keys again.',
    );
  }
}

function lengthOf(file: string): number | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file).length;
  } catch (error) {
    throw new StartupError(
      `The vault key file ${file} cannot be read (${messageOf(error)}): make it readable.`,
    );
  }
}
