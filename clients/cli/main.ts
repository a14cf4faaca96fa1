#!/usr/bin/env node
import module from 'node:module';
import type { Io } from './io.ts';

const [NO_VERDICT, INTERRUPTED, CALLER_MUST_CHANGE] = [3, 130, 2];

/** Those in use: to make one takes time. */
const streams = new Set<NodeJS.WriteStream>();
let isDataLost = false;

/** A reader that went away is no failure; a full disk is one. */
function used(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (streams.has(stream)) return stream;
  streams.add(stream);
  return stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (stream === process.stdout && code !== 'EPIPE') isDataLost = true;
  });
}

/** Node would exit with 1, which is for aborted runs. */
function failUnexpectedly(error: unknown): never {
  const message = error instanceof Error ? error.message : 'something unexpected happened';
  used(process.stderr).write(`evalgate: ${message}\n`);
  process.exit(NO_VERDICT);
}
process.on('uncaughtException', failUnexpectedly);
process.on('unhandledRejection', failUnexpectedly);

/** As the package's manifest says, which npm only warns of. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`evalgate: Node 22.12 or newer is needed, this is ${process.versions.node}.\n`);
  process.exit(CALLER_MUST_CHANGE);
}

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // The second Ctrl-C does not wait for what is under way.
  if (interrupt.signal.aborted) process.exit(INTERRUPTED);
  interrupt.abort();
});

/** Until the stream has taken everything, or its reader is gone. */
const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

module.enableCompileCache();
const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return used(process.stdout);
  },
  get stderr() {
    return used(process.stderr);
  },
  signal: interrupt.signal,
};
try {
  const { main } = await import('./program.ts');
  const exitCode = await main(process.argv.slice(2), io);
  await Promise.all([...streams].map(flush));
  process.exit(exitCode === 0 && isDataLost ? CALLER_MUST_CHANGE : exitCode);
} catch (error) {
  failUnexpectedly(error);
}
