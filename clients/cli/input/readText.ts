import path from 'node:path';
import { type Limits, megabytes } from '../../files/disk/readText.ts';
import { Problems, startOf } from '../../files/read/problems.ts';
import { readSource, type TextSource } from '../../importers/outputs/readOutputs.ts';
import type { Io } from '../io.ts';
import { FileProblem, Problem } from '../problem.ts';

/** The service takes 32 MB of JSON. */
const TEXT_MAX: Limits = megabytes(32);

/** As a file is named to people. */
export const placeOf = (file: string): string => (file === '-' ? 'stdin' : file);

/** A file, or stdin for `-`. */
export const sourceOf = async (io: Io, file: string): Promise<TextSource> =>
  file === '-' ? { bytes: await readStdin(io) } : { path: path.resolve(io.cwd, file) };

/** A file's text, or that of stdin for `-`. Whatever is no regular file of UTF-8 is refused. */
export async function readText(io: Io, file: string): Promise<string> {
  const read = readSource(await sourceOf(io, file), TEXT_MAX);
  if ('text' in read) return read.text;
  const problems = new Problems();
  problems.error(startOf(placeOf(file)), `the file ${read.why}`);
  throw new FileProblem(problems);
}

async function readStdin({ stdin, signal }: Io): Promise<Buffer> {
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
    // The caller refuses a text of this size.
    if (length > TEXT_MAX.bytesMax) break;
  }
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return Buffer.concat(chunks);
}
