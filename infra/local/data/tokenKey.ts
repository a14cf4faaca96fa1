import { generateKeyPair } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { TokenKeysConfig } from '../../../shared/runtime/config.ts';
import { localSigningKeys } from '../../../shared/vault/localSigningKeys.ts';
import { messageOf, StartupError } from '../startupError.ts';
import type { DataFolder } from './dataFolder.ts';
import { writePrivateFile } from './privateFile.ts';

const MODULUS_BITS = 2_048;

/** Returns the file of the folder's signing key, created on the first start. Without the file earlier tokens fail. */
export async function ensureTokenKey({ tokenKeyFile }: DataFolder): Promise<string> {
  if (existsSync(tokenKeyFile)) {
    checkFile(tokenKeyFile, 'bring back the right one, or move it away to end all tokens and get a new one');
    return tokenKeyFile;
  }
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS });
  writePrivateFile(tokenKeyFile, Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' })));
  return tokenKeyFile;
}

export function checkTokenKeys(keys: TokenKeysConfig): void {
  if (keys.kind !== 'local') return;
  for (const file of keys.files) checkFile(file, 'name other files in TOKEN_KEY_FILES, or unset it');
}

function checkFile(file: string, remedy: string): void {
  try {
    localSigningKeys([readFileSync(file)]);
  } catch (error) {
    const reason = messageOf(error);
    throw new StartupError(
      `The token key file ${file} holds no private RSA key in PEM form (${reason}): ${remedy}.`,
    );
  }
}
