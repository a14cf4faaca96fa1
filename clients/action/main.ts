import { ENVIRONMENT } from '../sdk/transport/environment.ts';
import type { Io } from './io.ts';
import { createRunner } from './job/runner.ts';
import { runStep } from './step.ts';

/** Until there is a verdict. */
let exitCode = 3;
/** As the bundle lies beside this one. */
const SUITES = './suites.mjs';

const io: Io = {
  cwd: process.cwd(),
  write: (text) => void process.stdout.write(text),
  environment: ENVIRONMENT,
  loadSuites: () => import(SUITES),
  onExitCode(known) {
    exitCode = known;
  },
};
// Node itself would end with 1, which means that the candidate is not good enough.
process.on('uncaughtException', ({ message }) => {
  createRunner(process.env, io).annotate('error', 'evalgate', message);
  process.exit(exitCode);
});
await runStep(process.env, io);
// A connection that is still open keeps the job no longer.
process.stdout.write('', () => process.exit(exitCode));
