import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
/** Far more than any of the scripts writes. */
const WRITTEN = { encoding: 'buffer', maxBuffer: 50_000_000 } as const;

/** What a script of this repository writes to stdout. In a process of its own: the service goes on answering. */
export async function madeBy(script: string): Promise<Buffer> {
  return (await promisify(execFile)(process.execPath, [path.join(ROOT, script)], WRITTEN)).stdout;
}
