import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { runStep } from '../../../clients/action/step.ts';
import { ENVIRONMENT, type Environment } from '../../../clients/sdk/transport/environment.ts';
import { NODE, REPOSITORY_DIR } from '../../support/processes.ts';
import { COMPILE_CACHE } from '../../support/service.ts';
import { type Said, spawned } from '../../support/spawned.ts';

export interface ActionYml {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}

export const actionYml: ActionYml = parse(readFileSync(path.join(REPOSITORY_DIR, 'action.yml'), 'utf8'));

interface Command {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** What the runner obeys. */
  readonly commands: readonly Command[];
  /** The text of a file of the workspace; undefined where there is none. */
  file(name: string): string | undefined;
}

export interface Step {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  readonly payload: unknown;
  /** In the workspace. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Done in the workspace before the step. */
  readonly prepare?: ((workspace: string) => void) | undefined;
  /** In place of the process's own. */
  readonly clock?: Pick<Environment, 'now' | 'sleep' | 'after'> | undefined;
}

/** What a job's environment and workspace are to a step. */
interface Given {
  readonly env: Readonly<Record<string, string>>;
  readonly workspace: string;
}

/** Runs the step in this process. */
export const runStepHere = (step: Step): Promise<Ended> =>
  asRunner(step, async ({ env, workspace }) => {
    let stdout = '';
    const code = await runStep(env, {
      cwd: workspace,
      write: (text) => {
        stdout += text;
      },
      environment: { ...ENVIRONMENT, ...step.clock },
      loadSuites: () => import('../../../clients/action/definitions/suites.ts'),
      onExitCode: () => undefined,
    });
    return { code, stdout, stderr: '' };
  });

/** Starts the bundle as the runner of GitHub Actions does. */
export const startBundle = (step: Step): Promise<Ended> =>
  asRunner(step, ({ env, workspace }) => {
    const environment = { PATH: process.env.PATH, ...COMPILE_CACHE, ...env };
    const main = path.join(REPOSITORY_DIR, actionYml.runs.main);
    return spawned(NODE, [main], { cwd: workspace, env: environment }).ended;
  });

const EXPRESSION = /\$\{\{ ([\w.-]+) \}\}/g;
/** Of a job without a matrix. */
const CONTEXT: Readonly<Record<string, string>> = { 'strategy.job-index': '0', 'strategy.job-total': '1' };

/** Gives a step what the runner of GitHub Actions does, and reads what it left as the runner does. */
async function asRunner(
  { inputs, env, payload, files = {}, prepare }: Step,
  run: (given: Given) => Promise<Said>,
): Promise<Ended> {
  const folder = mkdtempSync(path.join(tmpdir(), 'evalgate-action-'));
  const place = (name: string) => path.join(folder, name);
  const workspace = place('workspace');
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(workspace, name), content);
  prepare?.(workspace);
  for (const name of ['output', 'summary']) writeFileSync(place(name), '');
  writeFileSync(place('event.json'), JSON.stringify(payload));
  const defaults = Object.entries(actionYml.inputs).map(([name, { default: value = '' }]) => [
    name,
    value.replace(EXPRESSION, (_, expression: string) => CONTEXT[expression] ?? ''),
  ]);
  const given = { ...Object.fromEntries(defaults), ...inputs };
  const variables = Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]);
  const said = await run({
    workspace,
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_EVENT_PATH: place('event.json'),
      GITHUB_OUTPUT: place('output'),
      GITHUB_STEP_SUMMARY: place('summary'),
      ...Object.fromEntries(variables),
      ...env,
    },
  });
  const left = Object.fromEntries(
    Object.keys({ ...files, 'report.json': '', 'junit.xml': '', 'statement.json': '' })
      .filter((name) => existsSync(path.join(workspace, name)))
      .map((name) => [name, readFileSync(path.join(workspace, name), 'utf8')]),
  );
  const ended = {
    ...said,
    outputs: outputsIn(readFileSync(place('output'), 'utf8')),
    summary: readFileSync(place('summary'), 'utf8'),
    commands: commandsIn(said.stdout),
    file: (name: string) => left[name],
  };
  rmSync(folder, { recursive: true, force: true });
  return ended;
}

function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split('\n');
  while (lines.length > 1) {
    const [, name = '', delimiter = ''] = /^([^<]+)<<(.+)$/.exec(lines.shift() ?? '') ?? [];
    const end = lines.indexOf(delimiter);
    if (name === '' || end === -1) throw new Error('GITHUB_OUTPUT is not in the form that the runner takes.');
    outputs[name] = lines.slice(0, end).join('\n');
    lines.splice(0, end + 1);
  }
  return outputs;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%');

function commandsIn(stdout: string): Command[] {
  const commands: Command[] = [];
  let stopped: string | undefined;
  for (const line of stdout.split(/\r\n|\r|\n/)) {
    const [, name = '', list = '', message = ''] = /^\s*::([\w-]+)(?: ([^:]*))?::(.*)$/.exec(line) ?? [];
    if (stopped !== undefined) {
      if (name === stopped) stopped = undefined;
    } else if (name === 'stop-commands') {
      stopped = message;
    } else if (name !== '') {
      const properties = list
        .split(',')
        .filter((pair) => pair !== '')
        .map((pair) => [pair.slice(0, pair.indexOf('=')), unescaped(pair.slice(pair.indexOf('=') + 1))]);
      commands.push({ name, properties: Object.fromEntries(properties), message: unescaped(message) });
    }
  }
  return commands;
}
