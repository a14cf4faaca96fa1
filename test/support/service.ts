import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { madeOnce } from './madeOnce.ts';
import { NODE, REPOSITORY_DIR } from './processes.ts';

/** What takes longer hangs, on any machine; sooner than jest gives a test up. */
export const HANG_MS = 20 * 60_000;
const MAIN = path.join(REPOSITORY_DIR, 'infra/local/main.ts');

/** For programs that get an environment of their own: what one of them compiled, the next one need not. */
export const COMPILE_CACHE: Readonly<Record<string, string>> = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {};

export interface ServiceOptions {
  /** A temporary folder of its own, removed when the service stops, unless given. */
  readonly dataDir?: string;
  readonly port?: number | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs the sources, not their bundle. */
  readonly fromSources?: boolean;
  /** What to run instead of the service's main file. */
  readonly command?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningService {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** The engine of the moment: another one after a restart. */
  enginePid(): number;
  stdout(): string;
  stderr(): string;
  stop(signal?: NodeJS.Signals): Promise<Exit>;
  kill9(): Promise<Exit>;
}

interface Launched {
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
  output(): { stdout: string; stderr: string };
}

/** `npm test` deletes its own with all that is in it. */
export function temporaryFolder(): string {
  return mkdtempSync(path.join(process.env.EVALGATE_TEST_FOLDER ?? tmpdir(), 'evalgate-test-'));
}

/** The real service as a child process on a free port; it ends with the process that started it. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const { process: child, exited, output } = launch({ ...options, dataDir });
  const baseUrl = await Promise.race([announcedUrl(child, output), exited.then(refuse)]);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    const exit = await exited;
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    return exit;
  };
  return {
    baseUrl,
    apiKey: readFileSync(path.join(dataDir, 'api-key'), 'utf8').trim(),
    dataDir,
    process: child,
    enginePid: () => Number(readFileSync(path.join(dataDir, 'engine.pid'), 'utf8')),
    stdout: () => output().stdout,
    stderr: () => output().stderr,
    stop: (signal = 'SIGTERM') => end(signal),
    kill9: () => end('SIGKILL'),
  };
}

/** For a service that is not expected to come up. */
export async function runService(options: ServiceOptions & { readonly dataDir: string }): Promise<Exit> {
  const { process: child, exited } = launch(options);
  const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS);
  const exit = await exited;
  clearTimeout(timer);
  return exit;
}

function launch({
  dataDir,
  port = 0,
  env,
  fromSources = false,
  command = [NODE, fromSources ? MAIN : path.join(madeOnce('service', 'buildService.ts'), 'main.mjs')],
}: ServiceOptions & { readonly dataDir: string }): Launched {
  const [file, ...args] = command;
  const child = spawn(file ?? '', args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      EVALGATE_DATA_DIR: dataDir,
      NODE_OPTIONS: '',
      // A test makes no payment, whatever account the developer's shell names.
      STRIPE_SECRET_KEY: '',
      BASE_URL: '',
      EVALGATE_DEMO: 'off',
      // All tests come from one address; those of the limits ask for them.
      RATE_LIMITS: 'off',
      // A machine that is busy with tests is not a function that hangs.
      FUNCTION_TIMEOUT_SECONDS: String(HANG_MS / 1_000),
      ...env,
    },
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      said[stream] += text;
    });
  }
  // Not the child's own 'close', which never comes once its channel was closed from here.
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  const ended = [once(child, 'exit'), ...streams.map((stream) => once(stream, 'close'))];
  const exited = Promise.all(ended).then(() => ({ code: child.exitCode, signal: child.signalCode, ...said }));
  return { process: child, exited, output: () => said };
}

async function announcedUrl(child: ChildProcess, output: Launched['output']): Promise<string> {
  // The banner is written in one piece and ends with the last command.
  while (!output().stdout.includes('\nAPI docs: ')) await once(child.stdout ?? child, 'data');
  return /^Base URL: +(\S+)$/m.exec(output().stdout)?.[1] ?? '';
}

function refuse({ code, stderr }: Exit): never {
  throw new Error(`The service did not start (exit code ${code}): ${stderr}`);
}

/** Waits for something that happens in another process; only a hang reaches jest's timeout. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
