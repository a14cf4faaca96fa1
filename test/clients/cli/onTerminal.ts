import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from '@jest/globals';
import { NODE } from '../../support/processes.ts';
import { COMPILE_CACHE } from '../../support/service.ts';
import { MAIN, type Place } from './cli.ts';

/** Of util-linux: it gives a command a terminal. */
export const onTerminal = process.platform === 'linux' ? test : test.skip;

export function startOnTerminal(place: Place, command: string, env: Record<string, string> = {}) {
  // A terminal of no width breaks every word.
  const line = `stty cols 120 rows 40; ${NODE} ${MAIN} ${command}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: place.folder,
    env: {
      PATH: process.env.PATH,
      HOME: place.home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...COMPILE_CACHE,
      ...place.env,
      ...env,
    },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, said }));
  return {
    type: (text: string) => child.stdin.write(text),
    /** Nothing is typed any more. */
    leave: () => child.stdin.end(),
    ended,
    said: () => said,
  };
}
