import { createHash, randomBytes } from 'node:crypto';

/**
 * The id of a member says where it lies: the first 6 bytes are those of its suite's or project's id, bytes 10 to 13 its
 * number. 42 bits are random. A UUID of version 8.
 */
const CHAIN_BYTES = 6;
const NUMBER_AT = 10;
const VERSION_AT = 6;
const VARIANT_AT = 8;

const UUID = /^(.{8})(.{4})(.)(.{3})(.)(.{3})(.{12})$/;

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const textOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export function memberId(chainId: string, number: number, random: Buffer = randomBytes(16)): string {
  const bytes = Buffer.from(random);
  bytesOf(chainId).copy(bytes, 0, 0, CHAIN_BYTES);
  bytes.writeUInt32BE(number, NUMBER_AT);
  bytes[VERSION_AT] = ((bytes[VERSION_AT] ?? 0) & 0x0f) | 0x80;
  bytes[VARIANT_AT] = ((bytes[VARIANT_AT] ?? 0) & 0x3f) | 0x80;
  return textOf(bytes);
}

/** Of new members, one after the other. */
export function memberIds(chainId: string, lastNumber: number): () => string {
  let number = lastNumber;
  return () => memberId(chainId, ++number);
}

/** 12 hexadecimal digits, the same for a suite or project and for its members. */
export const placeName = (id: string): string => id.replaceAll('-', '').slice(0, 2 * CHAIN_BYTES);

/** Undefined for an id that no member can have. */
export function numberIn(id: string): number | undefined {
  const bytes = bytesOf(id);
  const isOfMember = bytes.length === 16 && (bytes[VERSION_AT] ?? 0) >> 4 === 8;
  return isOfMember ? bytes.readUInt32BE(NUMBER_AT) : undefined;
}

/** 6 bytes of time, so that the later edit has the later token, and 4 random ones, as 20 hexadecimal digits. */
export function newToken(nowMs: number): string {
  const time = Buffer.alloc(CHAIN_BYTES);
  time.writeUIntBE(nowMs, 0, CHAIN_BYTES);
  return Buffer.concat([time, randomBytes(4)]).toString('hex');
}

export const tokenMs = (token: string): number => Number.parseInt(token.slice(0, 2 * CHAIN_BYTES), 16);

/** Tokens from this moment on are not below it, earlier ones are. */
export const firstToken = (ms: number): string =>
  Math.max(0, Math.floor(ms))
    .toString(16)
    .padStart(2 * CHAIN_BYTES, '0');

/** The id of a baseline. It is computed, not stored. `name`: the token of the edit that put it in force. */
export const baselineId = (suiteId: string, name: string): string =>
  createHash('sha256')
    .update(`${suiteId}/${name}`)
    .digest('hex')
    .slice(0, 32)
    .replace(UUID, '$1-$2-8$4-8$6-$7');
