import { DecryptCommand, EncryptCommand, KMSServiceException } from '@aws-sdk/client-kms';
import { type KeyContext, type Vault, VaultError } from '../domain/byok/ports.ts';
import { Secret } from '../domain/byok/secret.ts';
import { damaged, readBytes, written } from './ciphertext.ts';
import { createKmsClient } from './kmsClient.ts';

interface KmsOptions {
  readonly keyId: string;
  readonly endpoint?: string | undefined;
}

/** A key that never leaves KMS. Each call passes the encryption context, which KMS authenticates and records. */
export function kmsVault({ keyId, endpoint }: KmsOptions): Vault {
  const client = createKmsClient(endpoint);
  return {
    async encrypt(secret, context) {
      const { CiphertextBlob } = await explained('encrypt', () =>
        client.send(
          new EncryptCommand({
            KeyId: keyId,
            Plaintext: Buffer.from(secret.reveal()),
            EncryptionContext: encryptionContext(context),
          }),
        ),
      );
      return written('kms', requireBytes(CiphertextBlob));
    },

    async decrypt(ciphertext, context) {
      const bytes = readBytes('kms', ciphertext);
      const { Plaintext } = await explained('decrypt', () =>
        client.send(
          new DecryptCommand({
            // The key is named, so that no ciphertext of another key is decrypted.
            KeyId: keyId,
            CiphertextBlob: bytes,
            EncryptionContext: encryptionContext(context),
          }),
        ),
      );
      return new Secret(Buffer.from(requireBytes(Plaintext)).toString('utf8'));
    },
  };
}

const encryptionContext = ({ org, provider, keyId, project }: KeyContext) => ({
  org,
  provider,
  keyId,
  ...(project !== undefined && { project }),
});

function requireBytes(bytes: Uint8Array | undefined): Uint8Array {
  if (bytes !== undefined) return bytes;
  throw new VaultError('KMS answered without the requested bytes', { retryable: true });
}

/** Errors carry no text from KMS. */
async function explained<T>(what: 'encrypt' | 'decrypt', call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown error';
    if (name === 'InvalidCiphertextException') throw damaged();
    const request = error instanceof KMSServiceException ? error.$metadata.requestId : undefined;
    const about = request === undefined ? name : `${name}, request ${request}`;
    throw new VaultError(`KMS did not ${what} a BYOK key (${about})`, { retryable: isRetryable(error) });
  }
}

/** No answer, a fault of KMS, or too many calls. A key that is deleted or forbidden does not come back. */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof KMSServiceException)) return true;
  const status = error.$metadata.httpStatusCode ?? 500;
  return status >= 500 || status === 429 || error.name.includes('Throttling');
}
