import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { toBase62 } from '../base62.ts';

/**
 * `egk_` + 32 random bytes in base62 (43 characters) + their CRC32 in base62 (6): a secret scanner can find it,
 * a typing error is refused without a database read.
 */
const PREFIX = 'egk_';
const RANDOM_BYTES = 32;
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);
const SHOWN_CHARACTERS = 12;

const checksum = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_CHARACTERS);

export function newApiKey(random: Buffer = randomBytes(RANDOM_BYTES)): string {
  const secret = PREFIX + toBase62(BigInt(`0x${random.toString('hex')}`), RANDOM_CHARACTERS);
  return secret + checksum(secret);
}

export function isApiKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  return checksum(text.slice(0, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);
}

/** The table holds this hash instead of the key, and keys are found by it. */
export const sha256OfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

export const shownPrefix = (key: string): string => key.slice(0, SHOWN_CHARACTERS);
