import { Readable, Writable } from 'node:stream';
import { main } from '../../../clients/cli/program.ts';

/** A command in this process, for what needs no process of its own. */
export async function said(cwd: string, args: readonly string[], stdin: readonly Uint8Array[] = []) {
  const streams = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof streams): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        streams[name] += chunk.toString();
        done();
      },
    });
  const code = await main(['--no-color', ...args], {
    ...{ cwd, env: {}, stdin: Readable.from(stdin), signal: new AbortController().signal },
    ...{ stdout: keep('stdout'), stderr: keep('stderr') },
  });
  return { code, ...streams };
}
