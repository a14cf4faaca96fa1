import { crc32, inflateRawSync } from 'node:zlib';

type Unpacked = { readonly bytes: Buffer } | { readonly fault: 'broken' | 'followed' | 'too_large' };

export type UnpackGzip = typeof unpackGzip;

const BROKEN = { fault: 'broken' } as const;

/**
 * The content of one gzip member (RFC 1952) without anything behind it. Node's own reader would unpack further members
 * and pass over zeros. Stops as soon as more than `maxBytes` come out.
 */
export function unpackGzip(packed: Buffer, maxBytes: number): Unpacked {
  const start = endOfHeader(packed);
  if (start === undefined) return BROKEN;
  const inflated = inflate(packed.subarray(start), maxBytes, sizeSaidBy(packed));
  if ('fault' in inflated) return inflated;
  const { bytes, taken } = inflated;
  const trailer = packed.subarray(start + taken);
  if (trailer.length < TRAILER_BYTES) return BROKEN;
  // Both are modulo 2^32, which no limit comes near.
  if (trailer.readUInt32LE(0) !== crc32(bytes) || trailer.readUInt32LE(4) !== bytes.length) return BROKEN;
  return trailer.length === TRAILER_BYTES ? { bytes } : { fault: 'followed' };
}

const TRAILER_BYTES = 8;
const HEADER_BYTES = 10;
/** 1f 8b, and 8 for deflate. */
const MAGIC = 0x1f8b08;
const CHECKED = 0x02;
const EXTRA = 0x04;
const NAME = 0x08;
const COMMENT = 0x10;
const RESERVED = 0xe0;

/** Undefined for what is no header. A header that is cut ends behind the text, where nothing can be unpacked. */
function endOfHeader(packed: Buffer): number | undefined {
  if (packed.length < HEADER_BYTES || packed.readUIntBE(0, 3) !== MAGIC) return undefined;
  const flags = packed.readUInt8(3);
  if ((flags & RESERVED) !== 0) return undefined;
  let end = HEADER_BYTES;
  if ((flags & EXTRA) !== 0) end += 2 + uint16(packed, end);
  for (const text of [NAME, COMMENT]) {
    if ((flags & text) === 0) continue;
    const closed = packed.indexOf(0, end);
    if (closed === -1) return undefined;
    end = closed + 1;
  }
  if ((flags & CHECKED) === 0) return end;
  return uint16(packed, end) === (crc32(packed.subarray(0, end)) & 0xffff) ? end + 2 : undefined;
}

const uint16 = (packed: Buffer, offset: number): number =>
  offset + 2 <= packed.length ? packed.readUInt16LE(offset) : packed.length;

const CHUNK_BYTES_MIN = 16_384;

/** Only a hint, with which a body that says so rightly is unpacked into one buffer without a copy. */
const sizeSaidBy = (packed: Buffer): number =>
  packed.length < TRAILER_BYTES ? 0 : packed.readUInt32LE(packed.length - 4);

/** What Node answers with `info`, which its types leave out. `bytesWritten` is how much of the input was taken. */
interface WithInfo {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

function inflate(
  deflated: Buffer,
  maxBytes: number,
  sizeSaid: number,
): { readonly bytes: Buffer; readonly taken: number } | { readonly fault: 'broken' | 'too_large' } {
  const chunkSize = Math.max(CHUNK_BYTES_MIN, Math.min(sizeSaid, maxBytes) + 1);
  try {
    const inflated = inflateRawSync(deflated, { maxOutputLength: maxBytes, chunkSize, info: true });
    const { buffer, engine } = inflated as unknown as WithInfo;
    return { bytes: buffer, taken: engine.bytesWritten };
  } catch (error) {
    return { fault: isTooLarge(error) ? 'too_large' : 'broken' };
  }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
