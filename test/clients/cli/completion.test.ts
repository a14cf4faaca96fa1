import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, expect, test } from '@jest/globals';
import { usePlace } from './cli.ts';

const place = usePlace();
const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await place.cli(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    scripts.set(shell, stdout);
  }
});

/** What bash offers for the last of the words. */
function offered(...words: readonly string[]): string[] {
  const script = `${scripts.get('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_evalgate
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const said = execFileSync('bash', ['--norc', '-c', script, 'bash', 'evalgate', ...words]);
  return String(said)
    .split('\n')
    .filter((line) => line !== '');
}

test('bash completes commands, those below them, their options and what an argument can be', () => {
  expect(offered('r').toSorted()).toEqual(['regressions', 'results', 'run', 'runs']);
  expect(offered('byok', '')).toEqual(expect.arrayContaining(['add', 'list', 'test', '--json']));
  expect(offered('byok', 'add', '--d')).toEqual(['--default']);
  expect(offered('run', 'returns', '--out')).toEqual(['--output', '--outputs']);
  expect(offered('--json', 'run', 'returns', '--rep')).toEqual(['--report']);
  expect(offered('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
  expect(offered('run', '--pro')).toEqual(['--project']);
  expect([offered('--ver'), offered('run', '--vers')]).toEqual([['--version', '--verbose'], []]);
  expect(offered('nothing', '--js')).toEqual(['--json']);
});

test('bash is left to complete names of files, and is offered nothing where any text is allowed', () => {
  for (const words of [
    ['run', 'returns', '--output', ''],
    ['--url', ''],
    ['validate', 'evals/x'],
  ]) {
    expect(offered(...words)).toEqual([]);
  }
  expect(scripts.get('bash')).toContain('complete -o bashdefault -o default -F _evalgate evalgate');
});

test('every command is completed, in every shell', async () => {
  const { stdout } = await place.cli(['--help']);
  const commands = [...(stdout.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z]+)(?: |$)/gm)].map(
    ([, name]) => name,
  );
  expect(commands.length).toBeGreaterThan(15);
  expect(offered('')).toEqual(expect.arrayContaining(commands));
  for (const script of scripts.values()) for (const name of commands) expect(script).toContain(`'${name}'`);
});

test.each(['zsh', 'fish'])('the script of %s is one that it reads', (shell) => {
  const { error, status, stderr } = spawnSync(shell, ['-n'], { input: scripts.get(shell), encoding: 'utf8' });
  // Where it is installed.
  if (error !== undefined) return;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('open prints the address of the dashboard, or of a run there, and needs no credential', async () => {
  const opened = await place.cli(['open', '--url', 'https://gate.example.com/x/']);
  expect(opened).toEqual({ code: 0, stdout: 'https://gate.example.com/x/app\n', stderr: '' });
  const run = await place.cli(['open', 'run_3kT', '--url', 'https://gate.example.com']);
  expect(run).toEqual({ code: 0, stdout: 'https://gate.example.com/app/runs/run_3kT\n', stderr: '' });
  expect(await place.cli(['open', 'run_3/..', '--url', 'https://gate.example.com'])).toMatchObject({
    code: 2,
    stdout: '',
  });
  expect(await place.cli(['open'])).toMatchObject({ code: 2, stdout: '' });
  expect(await place.cli(['open', '--url', 'file:///etc/passwd'])).toMatchObject({ code: 2, stdout: '' });
});
