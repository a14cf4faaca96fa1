import { VaultError } from '../domain/byok/ports.ts';

/** Ciphertexts are text: `<vault>.v1.<base64url>`, with the vault that decrypts it and the version of its format. */
export type VaultName = 'kms' | 'local';

const FORM = /^(kms|local)\.v1\.([\w-]+)$/;

export const written = (vault: VaultName, bytes: Uint8Array): string =>
  `${vault}.v1.${Buffer.from(bytes).toString('base64url')}`;

/** The bytes of a ciphertext of this vault. Throws for another vault's, and for a second spelling of the bytes. */
export function readBytes(vault: VaultName, ciphertext: string): Buffer {
  const [, from, text = ''] = FORM.exec(ciphertext) ?? [];
  if (from === undefined) throw damaged();
  if (from !== vault) {
    const message = `A BYOK key was encrypted by the ${from} vault, but the ${vault} vault is in use: add the key again`;
    throw new VaultError(message, { retryable: false });
  }
  const bytes = Buffer.from(text, 'base64url');
  // Decoders ignore surplus bits, so that another text could mean the same bytes.
  if (bytes.toString('base64url') !== text) throw damaged();
  return bytes;
}

export function damaged(): VaultError {
  const message =
    'The ciphertext of a BYOK key does not open: it was changed, or moved from another organisation, project, provider or key';
  return new VaultError(message, { retryable: false });
}
