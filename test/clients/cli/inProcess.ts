import { Readable, Writable } from 'node:stream';
import type { Io } from '../../../clients/cli/io.ts';
import { main } from '../../../clients/cli/program.ts';

interface Given {
  readonly cwd: string;
  readonly env?: Io['env'];
  readonly stdin?: string | Uint8Array | readonly Uint8Array[];
  readonly clock?: Io['clock'] | undefined;
}

/** A command in this process. What it throws ends it as `clients/cli/main.ts` does. */
export async function inThisProcess(args: readonly string[], { cwd, env = {}, stdin = [], clock }: Given) {
  const streams = { stdout: '', stderr: '' };
  const keep = (name: keyof typeof streams): Writable => {
    const decoder = new TextDecoder();
    return new Writable({
      write(chunk: Buffer, _encoding, done) {
        streams[name] += decoder.decode(chunk, { stream: true });
        done();
      },
    });
  };
  const io = {
    cwd,
    env,
    signal: new AbortController().signal,
    ...(clock && { clock }),
    stdin: Readable.from(
      typeof stdin === 'string' || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin,
      {
        objectMode: false,
      },
    ),
    stdout: keep('stdout'),
    stderr: keep('stderr'),
  };
  try {
    const code = await main(args, io);
    return { code, ...streams };
  } catch (error) {
    return { code: 3, ...streams, stderr: `${streams.stderr}evalgate: ${(error as Error).message}\n` };
  }
}

/** The same without colours or variables. */
export const said = (cwd: string, args: readonly string[], stdin: readonly Uint8Array[] = []) =>
  inThisProcess(['--no-color', ...args], { cwd, stdin });
