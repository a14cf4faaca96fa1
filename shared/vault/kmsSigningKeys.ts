import { createHash, createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import type { SigningKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/caches/lazily.ts';
import { createKmsClient } from './kmsClient.ts';
import type { KeyKind } from './publicJwk.ts';

interface KmsKeys {
  /** The first key signs. */
  readonly keyIds: readonly string[];
  readonly endpoint?: string | undefined;
}

/** Keys that never leave KMS. A function that may only read the public keys can verify, not sign. */
export function kmsSigningKeys<Jwk>(
  { keyIds, endpoint }: KmsKeys,
  { jwkOf, algorithm }: KeyKind<Jwk>,
): SigningKeys<Jwk> {
  const client = createKmsClient(endpoint);

  async function publicKeyOf(KeyId: string): Promise<Jwk> {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    if (PublicKey === undefined) throw new Error('KMS answered without the requested public key');
    return jwkOf(createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' }));
  }

  return {
    publicKeys: lazily(() => Promise.all(keyIds.map(publicKeyOf))),

    async sign(message) {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyIds[0],
          // KMS signs messages up to 4 kB, so that it gets the hash.
          Message: createHash('sha256').update(message).digest(),
          MessageType: 'DIGEST',
          SigningAlgorithm: algorithm,
        }),
      );
      if (Signature === undefined) throw new Error('KMS answered without the requested signature');
      return Signature;
    },
  };
}
