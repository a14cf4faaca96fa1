import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { isUtf16 } from '../../suites/files/readText.ts';
import type { Io } from '../io.ts';
import { Problem, systemReason } from '../problem.ts';

/** The service takes 32 MB of JSON. */
const BYTES_MAX = 33_554_432;

/** A file's text, or that of stdin for `-`. Whatever is no regular file of UTF-8 is refused. */
export async function readText(io: Io, file: string): Promise<string> {
  if (file === '-') return textOf(await readStdin(io), 'stdin');
  return textOf(await readRegularFile(path.resolve(io.cwd, file), file), file);
}

export async function readStdin({ stdin, signal }: Io): Promise<Buffer> {
  if (stdin.isTTY) {
    throw new Problem(
      'stdin is a terminal.',
      'Pipe a file into the command, or name one: --output answer.txt',
    );
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const stop = (): void => void stdin.destroy();
  signal.addEventListener('abort', stop);
  for await (const chunk of stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > BYTES_MAX) throw tooLarge('stdin');
  }
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}

async function readRegularFile(absolute: string, file: string): Promise<Buffer> {
  // A FIFO without a writer would hold the command up for ever.
  const handle = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => {
    throw new Problem(`${file} can't be read: ${systemReason(error)}.`);
  });
  try {
    return await bytesOf(handle, file);
  } finally {
    await handle.close();
  }
}

async function bytesOf(handle: FileHandle, file: string): Promise<Buffer> {
  const stats = await handle.stat();
  if (!stats.isFile()) {
    throw new Problem(`${file} is no regular file.`, 'Name a file, or - for stdin.');
  }
  if (stats.size > BYTES_MAX) throw tooLarge(file);
  return handle.readFile();
}

const tooLarge = (place: string): Problem =>
  new Problem(`${place} has more than 32 MB.`, 'An output has at most 1 MB, a run at most 32 MB.');

function textOf(bytes: Buffer, place: string): string {
  if (isUtf16(bytes)) {
    throw new Problem(
      `${place} is UTF-16.`,
      'Write it as UTF-8; in PowerShell: … | Out-File -Encoding utf8 <file>',
    );
  }
  try {
    // A byte order mark is not part of the text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem(`${place} is not UTF-8.`, 'Write it as UTF-8.');
  }
}
