import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { type KeyContext, type Vault, VaultError } from '../domain/byok/ports.ts';
import { Secret } from '../domain/byok/secret.ts';
import { damaged, readBytes, written } from './ciphertext.ts';

const ALGORITHM = 'aes-256-gcm';
const MASTER_KEY_BYTES = 32;
/** Random nonces may be used 2^32 times with one master key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const NONCE_AT = 4;
const TAG_AT = NONCE_AT + NONCE_BYTES;
const TEXT_AT = TAG_AT + TAG_BYTES;

/** AES-256-GCM under a local master key: master key id, nonce, tag and encrypted text, in this order. */
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
      if (bytes.length < TEXT_AT) throw damaged();
      if (!bytes.subarray(0, NONCE_AT).equals(masterKeyId)) throw otherMasterKey();
      try {
        const decipher = createDecipheriv(ALGORITHM, masterKey, bytes.subarray(NONCE_AT, TAG_AT), options)
          .setAAD(bytesOf(context))
          .setAuthTag(bytes.subarray(TAG_AT, TEXT_AT));
        const text = Buffer.concat([decipher.update(bytes.subarray(TEXT_AT)), decipher.final()]);
        return new Secret(text.toString('utf8'));
      } catch {
        throw damaged();
      }
    },
  };
}

/** Distinguishes a ciphertext of another master key from a damaged one, and reveals nothing of the key. */
const idOf = (masterKey: Uint8Array): Buffer =>
  createHmac('sha256', masterKey).update('evalgate master key id').digest().subarray(0, NONCE_AT);

/** A JSON list: the order is fixed, and the values can't run into each other. */
const bytesOf = ({ org, provider, keyId, project }: KeyContext): Buffer =>
  Buffer.from(
    JSON.stringify(['local.v1', org, provider, keyId, ...(project === undefined ? [] : [project])]),
  );

function otherMasterKey(): VaultError {
  const message =
    'A BYOK key was encrypted under another master key: bring back the vault-key file of that time, or add the key again';
  return new VaultError(message, { retryable: false });
}
