import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { unpackGzip } from '../../../shared/http/gzip.ts';

const LIMIT = 100_000;
const content = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc
    .tuple(fc.string({ unit: 'binary' }), fc.nat(3_000))
    .map(([text, times]) => Buffer.from(text.repeat(times))),
);
const unpack = (packed: Uint8Array, limit = LIMIT) => unpackGzip(Buffer.from(packed), limit);

/** A member with every optional part of the header that the flags ask for. */
function member(text: Buffer, flags: number): Buffer {
  const parts = [Buffer.from([0x1f, 0x8b, 8, flags, 1, 2, 3, 4, 0, 255])];
  if (flags & 0x04) parts.push(Buffer.from([3, 0, 7, 8, 9]));
  if (flags & 0x08) parts.push(Buffer.from('body.json\0'));
  if (flags & 0x10) parts.push(Buffer.from('a comment\0'));
  const check = Buffer.alloc(2);
  check.writeUInt16LE(crc32(Buffer.concat(parts)) & 0xffff);
  if (flags & 0x02) parts.push(check);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(text), 0);
  trailer.writeUInt32LE(text.length, 4);
  return Buffer.concat([...parts, deflateRawSync(text), trailer]);
}

test('what was packed comes out, at any level and by any strategy', () => {
  const options = fc.record({
    level: fc.integer({ min: 0, max: 9 }),
    strategy: fc.constantFrom(
      constants.Z_DEFAULT_STRATEGY,
      constants.Z_HUFFMAN_ONLY,
      constants.Z_RLE,
      constants.Z_FIXED,
    ),
    memLevel: fc.integer({ min: 1, max: 9 }),
    windowBits: fc.integer({ min: 9, max: 15 }),
  });
  fc.assert(
    fc.property(content, options, (bytes, how) => {
      const result = unpack(gzipSync(bytes, how), 1_000_000);
      expect('bytes' in result && result.bytes.equals(bytes)).toBe(true);
    }),
  );
});

test.each(Array.from({ length: 16 }, (_, index) => index * 2))(
  'a header with the flags %d is read',
  (flags) => {
    expect(unpack(member(Buffer.from('text'), flags))).toEqual({ bytes: Buffer.from('text') });
    expect(unpack(member(Buffer.from('text'), flags | 1))).toEqual({ bytes: Buffer.from('text') });
  },
);

test('a header with a flag that is not defined, or with a wrong checksum of itself, is broken', () => {
  for (const flag of [0x20, 0x40, 0x80]) {
    expect(unpack(member(Buffer.from('text'), flag))).toEqual({ fault: 'broken' });
  }
  const wrong = member(Buffer.from('text'), 0x1e);
  wrong[5] = 0;
  expect(unpack(wrong)).toEqual({ fault: 'broken' });
});

test('gzip that ends early is broken, wherever it ends', () => {
  const whole = member(Buffer.from('text'.repeat(50)), 0x1e);
  for (let end = 0; end < whole.length; end++) {
    expect(unpack(whole.subarray(0, end))).toEqual({ fault: 'broken' });
  }
});

describe('anything behind the first member is refused:', () => {
  const first = gzipSync('text');
  test.each([
    ['another member', gzipSync('text')],
    ['an empty member', gzipSync('')],
    ['a zero', Buffer.alloc(1)],
    ['text', Buffer.from('{}')],
    ['the beginning of a member', gzipSync('').subarray(0, 4)],
  ])('%s', (_, more) => {
    expect(unpack(Buffer.concat([first, more]))).toEqual({ fault: 'followed' });
    expect(unpack(Buffer.concat([gzipSync(''), more]))).toEqual({ fault: 'followed' });
  });
});

describe('the limit', () => {
  test.each([0, 1])('is the most that may come out, whatever the trailer states (%d less)', (less) => {
    const packed = gzipSync(Buffer.alloc(LIMIT));
    for (const said of [0, LIMIT, LIMIT - 1, 2 ** 32 - 1]) {
      const lying = Buffer.from(packed);
      lying.writeUInt32LE(said, lying.length - 4);
      const result = unpack(lying, LIMIT - less);
      const honest = said === LIMIT ? LIMIT : 'broken';
      const outcome = 'fault' in result ? result.fault : result.bytes.length;
      expect(outcome).toBe(less === 1 ? 'too_large' : honest);
    }
  });

  test('holds for a bomb, of which no more is unpacked', () => {
    const bomb = gzipSync(Buffer.alloc(16 * 1_048_576), { level: 1 });
    const before = process.memoryUsage().arrayBuffers;
    expect(unpack(bomb, 1_048_576)).toEqual({ fault: 'too_large' });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1_048_576);
  });
});

test('a changed bit changes nothing but what the header states of the file, or is found', () => {
  const text = Buffer.from('{"suite":"returns","output":"Within 30 days."}'.repeat(3));
  const packed = gzipSync(text);
  for (let bit = 0; bit < packed.length * 8; bit++) {
    const damaged = Buffer.from(packed);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const result = unpack(damaged);
    expect('fault' in result || result.bytes.equals(text)).toBe(true);
  }
});

test('no bytes make it throw', () => {
  const start = fc.constantFrom(
    Buffer.alloc(0),
    gzipSync('').subarray(0, 10),
    Buffer.from([0x1f, 0x8b, 8, 0x1e]),
  );
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 200 }), (head, rest) => {
      expect(unpack(Buffer.concat([head, rest]), 1_000)).toBeDefined();
    }),
  );
});
