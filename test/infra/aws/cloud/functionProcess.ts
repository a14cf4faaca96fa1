import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { NODE } from '../../../support/processes.ts';
import type { DeployedFunction } from './deployed.ts';

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** The surroundings of a function that its template does not define. */
export interface Host {
  readonly account: string;
  readonly region: string;
  /** Of the function's role. */
  readonly credentials: Credentials;
  /** Variables of tests only: the addresses of simulated services. */
  readonly standIns: Readonly<Record<string, string>>;
  /** Of the clock that an invocation sees. */
  readonly clockAheadMs: () => number;
  /** Multiplies the template's timeout; `PATIENCE` by default. */
  readonly patience?: number;
  readonly onLine: (line: string) => void;
}

/** A function that was invoked and gave no answer. */
export class FunctionError extends Error {}

export interface Environment {
  /** One at a time. */
  invoke(event: unknown): Promise<unknown>;
  isAlive(): boolean;
  stop(): Promise<void>;
}

interface Reply {
  readonly answer?: unknown;
  readonly error?: { readonly errorMessage: string; readonly stack?: string };
}

const BOOTSTRAP = path.join(import.meta.dirname, 'bootstrap.mjs');
/** A slow or busy machine must not look like a hanging function. */
const PATIENCE = 30;
const STDERR_KEPT = 4_000;

/** An execution environment of Lambda: a process of its own that has the function's bundle and variables only. */
export function startEnvironment(fn: DeployedFunction, host: Host): Environment {
  const child = launch(fn, host);
  const stderr = linesOf(child, host.onLine);
  let alive = true;
  let settle: ((reply: Reply) => void) | undefined;
  const fail = (errorMessage: string) =>
    settle?.({ error: { errorMessage: `${errorMessage}\n${stderr()}` } });
  child.once('exit', () => {
    alive = false;
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      fail(`Runtime exited: ${signal ?? `exit status ${code}`}`);
      resolve();
    });
  });
  child.on('error', (error) => fail(error.message));
  // What it wrote before it answered is read first.
  child.on('message', (reply: Reply) => void setImmediate(() => settle?.(reply)));

  function onTimeout(): void {
    alive = false;
    fail(`Task timed out after ${fn.timeoutSeconds} seconds`);
    child.kill('SIGKILL');
  }

  return {
    async invoke(event) {
      const { promise, resolve } = Promise.withResolvers<Reply>();
      settle = resolve;
      const timer = setTimeout(onTimeout, fn.timeoutSeconds * 1_000 * (host.patience ?? PATIENCE));
      child.send({ event, context: contextOf(fn, host), clockAheadMs: host.clockAheadMs() });
      const { answer, error } = await promise;
      clearTimeout(timer);
      settle = undefined;
      if (error === undefined) return answer;
      // In the form of Lambda's log.
      host.onLine(`Invoke Error ${JSON.stringify(error)}`);
      throw new FunctionError(`${fn.id}: ${error.stack ?? error.errorMessage}`);
    },
    isAlive: () => alive,
    async stop() {
      alive = false;
      child.kill('SIGKILL');
      await closed;
    },
  };
}

/** Starts Node with the heap of this memory size and read access to the bundle only. */
function launch(fn: DeployedFunction, host: Host): ChildProcess {
  const folder = realpathSync(fn.folder);
  const flags = [
    `--max-old-space-size=${Math.floor(fn.memoryMegabytes * 0.9)}`,
    '--permission',
    `--allow-fs-read=${folder}/*`,
    `--allow-fs-read=${BOOTSTRAP}`,
  ];
  return spawn(NODE, [...flags, BOOTSTRAP], {
    cwd: folder,
    env: { ...variablesOfLambda({ ...fn, folder }, host), ...fn.variables, ...host.standIns },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** The ones that Lambda itself sets, and a template may not. */
function variablesOfLambda(fn: DeployedFunction, { region, credentials }: Host) {
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: randomUUID(),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    LAMBDA_TASK_ROOT: fn.folder,
    _HANDLER: fn.handler,
    LANG: 'en_US.UTF-8',
    PATH: '/var/lang/bin:/usr/local/bin:/usr/bin/:/bin:/opt/bin',
    TZ: ':UTC',
  };
}

const contextOf = (fn: DeployedFunction, { account, region }: Host) => ({
  awsRequestId: randomUUID(),
  functionName: fn.name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:${region}:${account}:function:${fn.name}`,
  memoryLimitInMB: String(fn.memoryMegabytes),
  logGroupName: `/aws/lambda/${fn.name}`,
  logStreamName: 'stand-in',
  timeoutMs: fn.timeoutSeconds * 1_000,
});

/** Reports the lines of both streams. The returned function gives the end of stderr. */
function linesOf(child: ChildProcess, onLine: (line: string) => void): () => string {
  let errors = '';
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (text: string) => {
      if (stream === child.stderr) errors = (errors + text).slice(-STDERR_KEPT);
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(line);
    });
    stream?.on('end', () => rest !== '' && onLine(rest));
  }
  return () => errors;
}
