#!/usr/bin/env node
import module from 'node:module';
import type { Io } from './io.ts';

const [NO_VERDICT, INTERRUPTED, CALLER_MUST_CHANGE] = [3, 130, 2];

/** Node would exit with 1, which is for aborted runs. */
function failUnexpectedly(error: unknown): never {
  process.stderr.write(
    `evalgate: ${error instanceof Error ? error.message : 'something unexpected happened'}\n`,
  );
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
  // Whoever insists does not wait for what is under way.
  if (interrupt.signal.aborted) process.exit(INTERRUPTED);
  interrupt.abort();
});

/** A reader that went away is no failure; a full disk is one. */
let isDataLost = false;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (stream === process.stdout && code !== 'EPIPE') isDataLost = true;
  });
}

/** Until everything was taken, or nobody takes it. */
const flush = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => resolve()));

module.enableCompileCache();
const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  get stdin() {
    return process.stdin;
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupt.signal,
};
try {
  const { main } = await import('./program.ts');
  const exitCode = await main(process.argv.slice(2), io);
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(exitCode === 0 && isDataLost ? CALLER_MUST_CHANGE : exitCode);
} catch (error) {
  failUnexpectedly(error);
}
