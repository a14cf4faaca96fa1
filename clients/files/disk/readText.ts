import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

export type ReadText = { readonly text: string } | { readonly why: string };

export interface Limits {
  readonly bytesMax: number;
  /** As messages say it: `1 MB`. */
  readonly shown: string;
}

export const megabytes = (count: number): Limits => ({
  bytesMax: count * 1_024 * 1_024,
  shown: `${count} MB`,
});

/** Opening a FIFO would wait for its other end, and opening a device may do something. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** The text of a regular file in UTF-8, without its byte order mark, or why it cannot be had. */
export function readText(path: string, limits: Limits): ReadText {
  const read = readBytes(path, limits);
  return 'why' in read ? read : decode(read.bytes, limits);
}

/** At most one byte more than the limit. */
export function readBytes(
  path: string,
  limits: Limits,
): { readonly bytes: Uint8Array } | { readonly why: string } {
  try {
    if (!statSync(path).isFile()) return { why: NOT_REGULAR };
    const descriptor = openSync(path, FLAGS);
    try {
      // It may be another file by now.
      return fstatSync(descriptor).isFile() ? { bytes: readUpTo(descriptor, limits) } : { why: NOT_REGULAR };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { why: whyUnreadable(error) };
  }
}

const NOT_REGULAR = 'is not a regular file: name one';

/** One byte more than is allowed, where there are so many. A file may be growing. */
function readUpTo(descriptor: number, { bytesMax }: Limits): Uint8Array {
  const { size } = fstatSync(descriptor);
  const buffer = new Uint8Array(Math.min(size, bytesMax) + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** What was read of a file or a stream as text. */
export function decode(bytes: Uint8Array, limits: Limits): ReadText {
  const read = decodeAny(bytes, limits);
  if ('why' in read) return read;
  return read.replacedOn.length === 0 ? { text: read.text } : { why: 'is not UTF-8: save it as UTF-8' };
}

const REPLACING = new TextDecoder('utf-8');
const LINE_FEED = 0x0a;

/** The same with U+FFFD for what is not UTF-8, and the lines, from 1, where that is. */
export function decodeAny(
  bytes: Uint8Array,
  { bytesMax, shown }: Limits,
): { readonly text: string; readonly replacedOn: readonly number[] } | { readonly why: string } {
  if (bytes.length > bytesMax) return { why: `is too large: at most ${shown}` };
  if (isUtf16(bytes)) return { why: 'is not UTF-8 but UTF-16: save it as UTF-8' };
  const text = textIn(bytes);
  return text === undefined
    ? { text: REPLACING.decode(bytes), replacedOn: linesOfNoText(bytes) }
    : { text, replacedOn: [] };
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The byte of a line feed is part of no other character. */
function linesOfNoText(bytes: Uint8Array): number[] {
  const lines: number[] = [];
  for (let line = 1, start = 0; start < bytes.length; line++) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed + 1;
    if (textIn(bytes.subarray(start, end)) === undefined) lines.push(line);
    start = end;
  }
  return lines;
}

/** What Windows PowerShell writes by `>`; without its mark UTF-16 may be UTF-8, too, full of NULs. */
function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const begin = bytes.subarray(0, 64);
  return begin.length > 3 && begin.every((byte, index) => index % 2 === 0 || byte === 0);
}

const REASONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOENT: 'does not exist: correct its name, or make it',
    ENOTDIR: 'does not exist: correct its name, or make it',
    EACCES: 'may not be read: change its permissions',
    EPERM: 'may not be read: change its permissions',
    ELOOP: 'is a symbolic link that leads to itself: name a regular file',
    ENAMETOOLONG: 'has a name that is too long',
    EISDIR: NOT_REGULAR,
    ENXIO: NOT_REGULAR,
  }),
);

export function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS.get(code) ?? `cannot be read${code === '' ? '' : ` (${code})`}`;
}
