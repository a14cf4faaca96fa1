import { VaultError } from '../domain/byok/ports.ts';

/**
 * Ciphertexts are text: `<vault>.v1.<base64url>`. The name says which vault opens it, the number leaves room for
 * another form of the same vault.
 */
export type VaultName = 'kms' | 'local';

const FORM = /^(kms|local)\.v1\.([\w-]+)$/;

export const written = (vault: VaultName, bytes: Uint8Array): string =>
  `${vault}.v1.${Buffer.from(bytes).toString('base64url')}`;

/** The bytes of a ciphertext of this vault, written in the one way there is. */
export function readBytes(vault: VaultName, ciphertext: string): Buffer {
  const [, from, text = ''] = FORM.exec(ciphertext) ?? [];
  if (from === undefined) throw damaged();
  if (from !== vault) {
    const message = `A BYOK key was encrypted by the ${from} vault, but the ${vault} vault is in use: add the key again`;
    throw new VaultError(message, { retryable: false });
  }
  const bytes = Buffer.from(text, 'base64url');
  // Decoding ignores bits that are over at the end, so that another text could mean the same bytes.
  if (bytes.toString('base64url') !== text) throw damaged();
  return bytes;
}

export function damaged(): VaultError {
  const message =
    'The ciphertext of a BYOK key does not open: it was changed, or moved from another organisation, provider or key';
  return new VaultError(message, { retryable: false });
}
