import { createHash, createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, SignCommand } from '@aws-sdk/client-kms';
import type { PublicJwk, SigningKeys } from '../domain/accounts/ports.ts';
import { lazily } from '../domain/lazily.ts';
import { createKmsClient } from './kmsClient.ts';
import { publicJwk } from './publicJwk.ts';

interface KmsKeys {
  /** The first one signs. */
  readonly keyIds: readonly string[];
  readonly endpoint?: string | undefined;
}

/** RSA keys that never leave KMS. Whoever may only ask for their public parts can verify tokens and make none. */
export function kmsSigningKeys({ keyIds, endpoint }: KmsKeys): SigningKeys {
  const client = createKmsClient(endpoint);

  async function publicKeyOf(KeyId: string): Promise<PublicJwk> {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    if (PublicKey === undefined) throw new Error('KMS answered without the public key asked for');
    return publicJwk(createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' }));
  }

  return {
    publicKeys: lazily(() => Promise.all(keyIds.map(publicKeyOf))),

    async sign(message) {
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: keyIds[0],
          // KMS takes messages of 4 kB at most, but the hash of any.
          Message: createHash('sha256').update(message).digest(),
          MessageType: 'DIGEST',
          SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_256',
        }),
      );
      if (Signature === undefined) throw new Error('KMS answered without the signature asked for');
      return Signature;
    },
  };
}
