import { type ChildProcess, spawn } from 'node:child_process';
import { decodeAny } from '../../../files/disk/readText.ts';
import { OUTPUT_MAX } from '../../../importers/outputs/readOutputs.ts';
import { Problem, systemReason } from '../../problem.ts';
import { redacted } from '../../terminal.ts';

export interface Program {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

export interface Question {
  readonly stdin: string;
  /** Variables beside those of the program. */
  readonly env: Readonly<Record<string, string>>;
}

/** What a command printed, or why that is no answer. */
export type Answer =
  /** `isMended`: with U+FFFD in place of what is not UTF-8. */
  | { readonly ms: number; readonly output: string; readonly isMended: boolean }
  | { readonly ms: number; readonly error: string };

const STDERR_BYTES_MAX = 4_096;
const LINE_LENGTH_MAX = 500;
/** A process that left the group may hold the pipe of one that has ended. */
const DRAIN_MS = 1_000;
const HAS_GROUPS = process.platform !== 'win32';

/** Commands that run. Whatever ends this process ends them, with all that they have started. */
export class Commands {
  readonly #running = new Set<ChildProcess>();
  readonly #exit = (): void => this.killAll();
  readonly #hangUp = (): never => process.exit(129);
  readonly #terminate = (): never => process.exit(143);

  constructor() {
    process.on('exit', this.#exit).once('SIGHUP', this.#hangUp).once('SIGTERM', this.#terminate);
  }

  /** The last line break of an answer ends its line, and is no part of it. */
  async ask(program: Program, question: Question): Promise<Answer> {
    const { code, signal, ms, stdout, stderr, stopped } = await this.#run(program, question);
    if (stopped !== undefined) return { error: stopped, ms };
    if (code !== 0) return { error: [ending(code, signal), ...lastLine(stderr)].join(': '), ms };
    const read = decodeAny(stdout, OUTPUT_MAX);
    return 'why' in read
      ? { error: `what it printed ${read.why}`, ms }
      : { output: read.text.replace(/\r?\n$/, ''), isMended: read.replacedOn.length > 0, ms };
  }

  killAll(): void {
    for (const child of this.#running) kill(child);
  }

  close(): void {
    this.killAll();
    process.off('exit', this.#exit).off('SIGHUP', this.#hangUp).off('SIGTERM', this.#terminate);
  }

  #run({ command: [file = '', ...args], cwd, env, timeoutMs }: Program, question: Question): Promise<Ended> {
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    const begun = performance.now();
    const child = spawn(file, args, { cwd, env: { ...env, ...question.env }, detached: HAS_GROUPS });
    this.#running.add(child);
    let [ms, stopped]: [number | undefined, string | undefined] = [undefined, undefined];
    const stop = (why: string): void => {
      stopped ??= why;
      kill(child);
    };
    const timer = setTimeout(() => stop(`no answer within ${timeoutMs / 1_000} s`), timeoutMs);
    const stdout = collected(child.stdout, OUTPUT_MAX.bytesMax, () =>
      stop(`it printed more than ${OUTPUT_MAX.shown}, the most that an output may have`),
    );
    const stderr = collected(child.stderr, STDERR_BYTES_MAX);
    // A command that does not read what it is asked may end before it is written.
    child.stdin.on('error', () => undefined).end(question.stdin);
    const end = (): void => {
      clearTimeout(timer);
      this.#running.delete(child);
    };
    child.on('error', (error) => {
      end();
      reject(new Problem(`The command ${file} can't be started: ${systemReason(error)}.`));
    });
    child.on('exit', () => {
      ms = Math.round(performance.now() - begun);
      clearTimeout(timer);
      kill(child);
      setTimeout(() => [child.stdout, child.stderr].map((stream) => stream.destroy()), DRAIN_MS).unref();
    });
    child.on('close', (code, signal) => {
      end();
      resolve({ code, signal, ms: ms ?? 0, stopped, stdout: stdout(), stderr: stderr() });
    });
    return promise;
  }
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly ms: number;
  /** Why it was killed. */
  readonly stopped: string | undefined;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/** Of stdout all that is allowed, of stderr the end. */
function collected(stream: NodeJS.ReadableStream, bytesMax: number, onMore?: () => void): () => Buffer {
  let chunks: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= bytesMax) return;
    onMore?.();
    const kept = Buffer.concat(chunks).subarray(-bytesMax);
    [chunks, bytes] = [[kept], kept.length];
  });
  return () => Buffer.concat(chunks);
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, 'SIGKILL');
  } catch {
    // Nothing of it is left.
  }
}

const ending = (code: number | null, signal: string | null): string =>
  code === null ? `ended by ${signal}` : `exit code ${code}`;

/** What a command says last is mostly why it failed. */
function lastLine(stderr: Buffer): string[] {
  const lines = stderr.toString().split('\n');
  const last = lines.map((line) => line.trim()).findLast((line) => line !== '');
  return last === undefined ? [] : [redacted(last.slice(0, LINE_LENGTH_MAX).toWellFormed())];
}
