import { generateKeyPair } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { SigningKeysConfig } from '../../../shared/runtime/config.ts';
import { localSigningKeys } from '../../../shared/vault/localSigningKeys.ts';
import { STATEMENT_KEYS, TOKEN_KEYS } from '../../../shared/vault/publicJwk.ts';
import { messageOf, StartupError } from '../startupError.ts';
import { writePrivateFile } from './privateFile.ts';

const MODULUS_BITS = 2_048;
const generate = promisify(generateKeyPair);

interface Kind {
  readonly what: string;
  readonly form: string;
  readonly variable: string;
  /** What happens where the file is moved away. */
  readonly withoutIt: string;
  readonly check: (pem: Uint8Array) => void;
  readonly make: () => Promise<string | Buffer>;
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;

/** Without its file earlier tokens fail. */
export const TOKENS: Kind = {
  what: 'token',
  form: 'private RSA key',
  variable: 'TOKEN_KEY_FILES',
  withoutIt: 'to end all tokens and get a new one',
  check: (pem) => void localSigningKeys([pem], TOKEN_KEYS),
  make: async () => (await generate('rsa', { modulusLength: MODULUS_BITS })).privateKey.export(PEM),
};

/** Without its file earlier statements are verified by those alone who kept the public key. */
export const STATEMENTS: Kind = {
  what: 'statement',
  form: 'private EC key of the curve P-256',
  variable: 'STATEMENT_KEY_FILES',
  withoutIt: 'to sign new statements by a new one',
  check: (pem) => void localSigningKeys([pem], STATEMENT_KEYS),
  make: async () => (await generate('ec', { namedCurve: 'P-256' })).privateKey.export(PEM),
};

/** Makes the file on the first start. */
export async function ensureKey(file: string, kind: Kind): Promise<string> {
  if (existsSync(file)) {
    checkFile(file, kind, `bring back the right one, or move it away ${kind.withoutIt}`);
    return file;
  }
  writePrivateFile(file, Buffer.from(await kind.make()));
  return file;
}

export function checkKeys(keys: SigningKeysConfig, kind: Kind): void {
  if (keys.kind !== 'local') return;
  for (const file of keys.files) checkFile(file, kind, `name other files in ${kind.variable}, or unset it`);
}

function checkFile(file: string, { what, form, check }: Kind, remedy: string): void {
  try {
    check(readFileSync(file));
  } catch (error) {
    throw new StartupError(
      `The ${what} key file ${file} holds no ${form} in PEM form (${messageOf(error)}): ${remedy}.`,
    );
  }
}
