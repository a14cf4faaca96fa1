import { objectIn } from '../../files/read/jsonText.ts';
import { durationMs } from '../../sdk/index.ts';
import { Problem } from '../problem.ts';
import type { Runner } from './runner.ts';

/** All inputs of action.yml with their defaults. */
export const INPUTS = {
  command: 'run',
  suite: '',
  'run-ids': '',
  'output-file': '',
  'outputs-file': '',
  'outputs-map': '',
  input: '',
  config: 'evalgate.yaml',
  files: '',
  prune: 'false',
  'allow-weaker': 'true',
  url: '',
  organisation: '',
  project: '',
  // So that an empty one is known to be given: GitHub gives jobs an empty text for a secret that they may not have.
  'api-key': 'oidc',
  wait: '30m',
  'fail-on': 'aborted,inconclusive,error',
  waivers: 'true',
  'on-fork': 'skip',
  comment: 'always',
  details: 'auto',
  'comment-key': '',
  // A place in GitHub's own words: the runner fills it in.
  leg: '$' + '{{ strategy.job-index }}/$' + '{{ strategy.job-total }}',
  'pr-number': '',
  annotations: 'true',
  'report-file': '',
  'junit-file': '',
  'statement-file': '',
  meta: '',
  'github-token': '',
} as const;

type InputName = keyof typeof INPUTS;

const COMMANDS = ['run', 'plan', 'push', 'accept'] as const;
const FAIL_ON = ['aborted', 'inconclusive', 'error'] as const;
const ON_FORK = ['skip', 'fail'] as const;
const COMMENT = ['always', 'problems', 'never'] as const;
const DETAILS = ['auto', 'full', 'keys'] as const;
const BOOLEAN = ['true', 'false'] as const;

export interface Inputs {
  /** As given, or the default. */
  readonly text: (name: InputName) => string;
  /** Undefined: the job logs in by OIDC. Empty where the secret that the workflow names is none of this job. */
  readonly apiKey: string | undefined;
  readonly command: (typeof COMMANDS)[number];
  /** To accept. */
  readonly runIds: readonly string[];
  readonly prunes: boolean;
  readonly mayBeWeaker: boolean;
  readonly wait: string;
  readonly failOn: readonly (typeof FAIL_ON)[number][];
  readonly countsWaivers: boolean;
  readonly onFork: (typeof ON_FORK)[number];
  readonly comment: (typeof COMMENT)[number];
  readonly details: (typeof DETAILS)[number];
  readonly hasAnnotations: boolean;
  readonly pullRequest: number | undefined;
  /** For the scorers. */
  readonly input: Readonly<Record<string, unknown>> | undefined;
  readonly meta: Readonly<Record<string, string>>;
}

/** GitHub only warns of an input that action.yml does not know, and its default, which may be weaker, holds. */
function refuseMisspelt(given: readonly string[]): void {
  const known = Object.keys(INPUTS);
  for (const name of given.filter((one) => !known.includes(one))) {
    const intended = known.find((input) => isNearly(name, input));
    if (intended !== undefined) throw new Problem(`Input ${name} is unknown: write ${intended}.`);
  }
}

/** The same letters, or one letter more or less. */
function isNearly(name: string, input: string): boolean {
  const [short, long] = [name, input]
    .map((text) => text.replace(/[^a-z]/g, ''))
    .toSorted((one, other) => one.length - other.length);
  if (short === undefined || long === undefined || long.length - short.length > 1) return false;
  return (
    short === long ||
    Array.from(long).some((_, index) => long.slice(0, index) + long.slice(index + 1) === short)
  );
}

export function readInputs(runner: Runner): Inputs {
  refuseMisspelt(runner.inputNames);
  const text = (name: InputName): string => runner.input(name) || INPUTS[name];
  const given = runner.input('api-key');
  const apiKey = given === INPUTS['api-key'] ? undefined : given;
  if (apiKey) runner.mask(apiKey);
  runner.mask(text('github-token'));
  const choice = <T extends string>(name: InputName, words: readonly T[]): T =>
    oneOf(name, text(name), words);
  const command = choice('command', COMMANDS);
  if (['run', 'accept'].includes(command) && text('suite') === '') {
    throw new Problem(`Input suite is missing: its slug.`);
  }
  return {
    text,
    apiKey,
    command,
    runIds: runIdsOf(text('run-ids'), command === 'accept'),
    prunes: choice('prune', BOOLEAN) === 'true',
    mayBeWeaker: choice('allow-weaker', BOOLEAN) === 'true',
    wait: waitOf(text('wait')),
    failOn: text('fail-on')
      .split(',')
      .map((word) => oneOf('fail-on', word.trim(), FAIL_ON)),
    countsWaivers: choice('waivers', BOOLEAN) === 'true',
    onFork: choice('on-fork', ON_FORK),
    comment: choice('comment', COMMENT),
    details: choice('details', DETAILS),
    hasAnnotations: choice('annotations', BOOLEAN) === 'true',
    pullRequest: numberOf(text('pr-number')),
    input: text('input') === '' ? undefined : objectOf(text('input')),
    meta: metaOf(text('meta')),
  };
}

function oneOf<T extends string>(name: string, given: string, words: readonly T[]): T {
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw new Problem(`Input ${name} holds "${given}": it knows ${words.join(', ')}.`);
}

function waitOf(given: string): string {
  try {
    durationMs(given);
    return given;
  } catch {
    throw new Problem(`Input wait is "${given}": such as 90s, 15m or 1h.`);
  }
}

function runIdsOf(given: string, areNeeded: boolean): readonly string[] {
  const ids = given.split(/[\s,]+/).filter((id) => id !== '');
  if (areNeeded && ids.length === 0)
    throw new Problem('Input run-ids is missing: the ids of one to five runs, such as run_3kT, run_3kU.');
  return ids;
}

function numberOf(given: string): number | undefined {
  if (given === '') return undefined;
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given);
  throw new Problem('Input pr-number is no number of a pull request.');
}

function objectOf(given: string): Readonly<Record<string, unknown>> {
  const read = objectIn(given);
  if (typeof read !== 'string') return read.object;
  throw new Problem(`Input input ${read}: it is an object such as {"question": "…"}.`);
}

function metaOf(given: string): Readonly<Record<string, string>> {
  const lines = given.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line): [string, string] => {
      const separator = line.indexOf('=');
      const name = line.slice(0, Math.max(separator, 0)).trim();
      if (name === '') throw new Problem('Input meta: each line is a pair, such as model=large.');
      return [name, line.slice(separator + 1).trim()];
    }),
  );
}
