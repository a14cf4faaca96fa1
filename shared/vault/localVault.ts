import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type KeyContext, type Vault, VaultError } from '../domain/byok/ports.ts';
import { Secret } from '../domain/byok/secret.ts';
import { damaged, readBytes, written } from './ciphertext.ts';

const ALGORITHM = 'aes-256-gcm';
const MASTER_KEY_BYTES = 32;
/** Random ones may be used 2^32 times with one master key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MASTER_KEY_ID_BYTES = 4;

/** AES-256-GCM under a master key of our own: master key id, nonce, tag and encrypted text, in this order. */
export function localVault(masterKey: Uint8Array): Vault {
  if (masterKey.length !== MASTER_KEY_BYTES) {
    throw new Error(`The vault's master key has ${masterKey.length} bytes instead of ${MASTER_KEY_BYTES}`);
  }
  const masterKeyId = idOf(masterKey);
  const options = { authTagLength: TAG_BYTES };
  return {
    async encrypt(secret, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, masterKey, nonce, options).setAAD(bytesOf(context));
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()]);
      return written('local', Buffer.concat([masterKeyId, nonce, cipher.getAuthTag(), text]));
    },

    async decrypt(ciphertext, context) {
      const bytes = readBytes('local', ciphertext);
      const [keyId, nonce, tag, text] = cut(bytes, [MASTER_KEY_ID_BYTES, NONCE_BYTES, TAG_BYTES]);
      if (keyId === undefined || nonce === undefined || tag === undefined || text === undefined) throw damaged();
      if (!keyId.equals(masterKeyId)) throw otherMasterKey();
      try {
        const decipher = createDecipheriv(ALGORITHM, masterKey, nonce, options)
          .setAAD(bytesOf(context))
          .setAuthTag(tag);
        return new Secret(Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8'));
      } catch {
        throw damaged();
      }
    },
  };
}

/** Of its file; fails the cold start when it is not there or not whole. */
export const readMasterKey = (file: string): Uint8Array => readFileSync(file);

/** Tells a ciphertext of another master key from a damaged one, and nothing about the key. */
const idOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('evalgate master key id').digest().subarray(0, MASTER_KEY_ID_BYTES);

/** A list, not an object: its order is fixed, and no value can run into the next. */
const bytesOf = ({ org, provider, keyId }: KeyContext): Buffer =>
  Buffer.from(JSON.stringify(['local.v1', org, provider, keyId]));

/** Pieces of these lengths and the rest; none when there are too few bytes. */
function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const length of lengths) pieces.push(bytes.subarray(from, (from += length)));
  return bytes.length < from ? [] : [...pieces, bytes.subarray(from)];
}

function otherMasterKey(): VaultError {
  const message =
    'A BYOK key was encrypted under another master key: bring back the vault-key file of that time, or add the key again';
  return new VaultError(message, { retryable: false });
}
