import { constants, generateKeyPairSync, type KeyObject, privateEncrypt, sign } from 'node:crypto';

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

/** KMS's asymmetric keys, RSA_2048 for SIGN_VERIFY. Operations on unknown keys return undefined. */
export function keyPairs() {
  const pairs = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>();

  function signature(privateKey: KeyObject, message: Buffer, type: string): Buffer | undefined {
    if (type === 'DIGEST') {
      if (message.length !== SHA256_BYTES) return undefined;
      const padded = { key: privateKey, padding: constants.RSA_PKCS1_PADDING };
      return privateEncrypt(padded, Buffer.concat([SHA256_DIGEST_INFO, message]));
    }
    return message.length > MESSAGE_BYTES_MAX ? undefined : sign('RSA-SHA256', message, privateKey);
  }

  return {
    add(id: string): KeyObject {
      const pair = generateKeyPairSync('rsa', { modulusLength: MODULUS_BITS });
      pairs.set(id, pair);
      return pair.publicKey;
    },

    getPublicKey({ KeyId = '' }: SignInput): object | undefined {
      const der = pairs.get(KeyId)?.publicKey.export({ format: 'der', type: 'spki' });
      return (
        der && { KeyId, PublicKey: der.toString('base64'), KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }
      );
    },

    sign({ KeyId = '', Message = '', MessageType = 'RAW', SigningAlgorithm }: SignInput): object | undefined {
      const privateKey = pairs.get(KeyId)?.privateKey;
      if (privateKey === undefined || SigningAlgorithm !== 'RSASSA_PKCS1_V1_5_SHA_256') return undefined;
      const made = signature(privateKey, Buffer.from(Message, 'base64'), MessageType);
      return made && { KeyId, Signature: made.toString('base64'), SigningAlgorithm };
    },
  };
}
