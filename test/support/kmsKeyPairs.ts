import { constants, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';

interface SignInput {
  readonly KeyId?: string;
  readonly Message?: string;
  readonly MessageType?: string;
  readonly SigningAlgorithm?: string;
}

const MODULUS_BITS = 2_048;
const MESSAGE_BYTES_MAX = 4_096;
const SHA256_BYTES = 32;
/** RFC 8017: the prefix of a SHA-256 digest in a PKCS #1 v1.5 signature. */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

const PAIRS = {
  RSA_2048: () => generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS }),
  ECC_NIST_P256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
};
export type KeySpec = keyof typeof PAIRS;
const ALGORITHM_OF: Readonly<Record<string, string>> = {
  rsa: 'RSASSA_PKCS1_V1_5_SHA_256',
  ec: 'ECDSA_SHA_256',
};

/** Node signs no digest by ECDSA. */
const signDigest = (privateKey: KeyObject, digest: Buffer): Buffer =>
  Buffer.from(
    p256.sign(digest, Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url'), {
      prehash: false,
      format: 'der',
    }),
  );

/** KMS's asymmetric keys for SIGN_VERIFY. Operations on unknown keys return undefined. */
export function keyPairs() {
  const pairs = new Map<string, { publicKey: KeyObject; privateKey: KeyObject; spec: KeySpec }>();

  function signature(privateKey: KeyObject, message: Buffer, type: string): Buffer | undefined {
    if (type === 'DIGEST') {
      if (message.length !== SHA256_BYTES) return undefined;
      if (privateKey.asymmetricKeyType === 'ec') return signDigest(privateKey, message);
      const padded = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
      return privateEncrypt(padded, Buffer.concat([SHA256_DIGEST_INFO, message]));
    }
    return message.length > MESSAGE_BYTES_MAX ? undefined : sign('SHA256', message, privateKey);
  }

  return {
    add(id: string, spec: KeySpec = 'RSA_2048'): KeyObject {
      const pair = { ...PAIRS[spec](), spec };
      pairs.set(id, pair);
      return pair.publicKey;
    },

    getPublicKey({ KeyId = '' }: SignInput): object | undefined {
      const pair = pairs.get(KeyId);
      const der = pair?.publicKey.export({ format: 'der', type: 'spki' });
      return (
        der && {
          KeyId,
          PublicKey: der.toString('base64'),
          KeySpec: pair?.spec,
          KeyUsage: 'SIGN_VERIFY',
        }
      );
    },

    sign({ KeyId = '', Message = '', MessageType = 'RAW', SigningAlgorithm }: SignInput): object | undefined {
      const privateKey = pairs.get(KeyId)?.privateKey;
      const algorithm = ALGORITHM_OF[privateKey?.asymmetricKeyType ?? ''];
      if (privateKey === undefined || SigningAlgorithm !== algorithm) return undefined;
      const made = signature(privateKey, Buffer.from(Message, 'base64'), MessageType);
      return made && { KeyId, Signature: made.toString('base64'), SigningAlgorithm };
    },
  };
}
