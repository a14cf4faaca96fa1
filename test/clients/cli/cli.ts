import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import type { Io } from '../../../clients/cli/io.ts';
import { madeOnce } from '../../support/madeOnce.ts';
import { NODE } from '../../support/processes.ts';
import { COMPILE_CACHE, temporaryFolder } from '../../support/service.ts';
import { type Said, type Spawned, spawned } from '../../support/spawned.ts';
import { inThisProcess } from './inProcess.ts';

export { aGate, type Gated, useGate } from '../gated.ts';

/** As the package has it, which starts faster than its sources; or the file of another one. */
export const MAIN =
  process.env.EVALGATE_TEST_CLI || path.join(madeOnce('command-line', 'buildCommandLine.ts'), 'evalgate.js');
const OWN_NODE = process.env.EVALGATE_TEST_NODE || NODE;

/** Node 22 follows proxies only so. */
const OF_NODE = process.env.EVALGATE_TEST_NODE ? { NODE_USE_ENV_PROXY: '1' } : {};

interface Start {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  readonly cwd?: string;
  /** A file in place of the pipe. */
  readonly stdout?: string;
  /** Of a command in this process. */
  readonly clock?: Io['clock'];
}

const OF_NODE_ITSELF = /^NODE_|_proxy$/i;
const IS_OTHER_PROGRAM =
  process.env.EVALGATE_TEST_CLI !== undefined || process.env.EVALGATE_TEST_NODE !== undefined;

const needsProcess = (env: Readonly<Record<string, string>>, { stdout }: Start): boolean =>
  IS_OTHER_PROGRAM || stdout !== undefined || Object.keys(env).some((name) => OF_NODE_ITSELF.test(name));

/** A folder to work in, with a home of its own. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  /** What every command of the place gets. */
  readonly env: Record<string, string>;
  file(name: string, content: string | Uint8Array): string;
  /** A command in a process of its own. */
  start(args: readonly string[], options?: Start): Spawned;
  /** A command in this process, where neither a variable of Node's nor a file for its output needs one of its own. */
  cli(args: readonly string[], options?: Start): Promise<Said>;
  remove(): void;
}

export function aPlace(env: Record<string, string> = {}): Place {
  const root = temporaryFolder();
  const [folder, home] = [path.join(root, 'work'), path.join(root, 'home')];
  for (const made of [folder, home]) mkdirSync(made);
  const place: Place = {
    folder,
    home,
    env,
    file(name, content) {
      writeFileSync(path.join(folder, name), content);
      return name;
    },
    start(args, options = {}) {
      const file = options.stdout === undefined ? undefined : openSync(options.stdout, 'w');
      const started = spawned(OWN_NODE, [MAIN, ...args], {
        cwd: options.cwd ?? folder,
        env: { PATH: process.env.PATH, HOME: home, ...COMPILE_CACHE, ...OF_NODE, ...env, ...options.env },
        stdio: ['pipe', file ?? 'pipe', 'pipe'],
      });
      const { stdin } = started.child;
      // A command that does not read its input may end before it is written.
      stdin?.on('error', () => undefined);
      stdin?.end(options.stdin ?? '');
      if (file !== undefined) closeSync(file);
      return started;
    },
    cli(args, options = {}) {
      if (needsProcess({ ...env, ...options.env }, options)) return place.start(args, options).ended;
      const { cwd = folder, stdin = '' } = options;
      return inThisProcess(args, {
        env: { HOME: home, PATH: process.env.PATH ?? '', ...env, ...options.env },
        cwd,
        stdin,
        clock: options.clock,
      });
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
  return place;
}

/** One for all tests of a file, with outputs that the suite of a gate clears and aborts. */
export function usePlace(env: () => Record<string, string> = () => ({})): Place {
  const place = aPlace();
  beforeAll(() => void Object.assign(place.env, env()));
  afterAll(() => place.remove());
  place.file('good.txt', 'within 30 days');
  place.file('bad.txt', 'never');
  return place;
}
