import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleCommandLine } from '../../clients/npm/contents.ts';
import { Evalgate, type RunsCreateBody } from '../../clients/sdk/index.ts';
import { NODE, REPOSITORY_DIR } from '../../test/support/processes.ts';

/** A folder with the command line as users get it, files of a suite, and outputs for it. */
export interface CommandLine {
  readonly folder: string;
  /** Runs `evalgate` once; gives the milliseconds that it took. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): number;
  /** Node with a file that is empty. */
  bare(): number;
  /** The same so many times, by a shell. */
  bareTimes(count: number): number;
}

export async function makeCommandLine(folder: string, cases: number): Promise<CommandLine> {
  const place = (name: string): string => path.join(folder, name);
  const program = place('evalgate/dist/cli');
  await bundleCommandLine(program);
  cpSync(path.join(REPOSITORY_DIR, 'clients/npm/package.json'), place('evalgate/package.json'));
  for (const name of ['home', 'evals']) mkdirSync(place(name));
  writeFileSync(place('bare.mjs'), '');
  writeFileSync(place('evalgate.yaml'), 'version: 1\nproject: bot\nsuites: [evals/*.suite.yaml]\n');
  writeFileSync(place('evals/returns.suite.yaml'), suiteOf(cases));
  writeFileSync(
    place('answers.jsonl'),
    outputsOf(cases)
      .map((output) => JSON.stringify(output))
      .join('\n'),
  );
  const timed = (args: readonly string[], env: Readonly<Record<string, string>> = {}): number =>
    timeOf(NODE, args, { cwd: folder, env: { HOME: place('home'), PATH: process.env.PATH ?? '', ...env } });
  return {
    folder,
    run: (args, env) => timed([path.join(program, 'evalgate.js'), ...args], env),
    bare: () => timed([place('bare.mjs')]),
    bareTimes: (count) =>
      timeOf('sh', ['-c', `i=0; while [ $i -lt ${count} ]; do "${NODE}" bare.mjs; i=$((i + 1)); done`], {
        cwd: folder,
        env: { HOME: place('home'), PATH: process.env.PATH ?? '' },
      }),
  };
}

interface Where {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How many milliseconds a command takes that ends well. */
function timeOf(command: string, args: readonly string[], where: Where): number {
  const begun = performance.now();
  const { status, stderr, error } = spawnSync(command, args, where);
  const ms = performance.now() - begun;
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')}: exit code ${status}: ${stderr}`);
  return ms;
}

const caseName = (index: number): string => `case-${index}`;
const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Four kinds of scorers, in turn. */
const SCORERS = {
  'mentions-30-days': { type: 'contains', config: { values: ['30 days'] } },
  'no-shouting': { type: 'regex', config: { pattern: '[A-Z]{6,}', flags: '', should_match: false } },
  'names-refund': { type: 'contains', config: { values: ['refund', 'label'], mode: 'any' } },
  agreed: { type: 'exact_match', config: {} },
} as const;
const KEYS = Object.keys(SCORERS) as readonly (keyof typeof SCORERS)[];
const scorerOf = (index: number) => KEYS[index % KEYS.length] ?? 'agreed';

/** About 60 characters, as an answer has. */
const OUTPUT = 'You can return it within 30 days for a refund. Item';

function suiteOf(count: number): string {
  const scorers = Object.entries(SCORERS).map(([key, scorer]) => `  ${key}: ${JSON.stringify(scorer)}`);
  const cases = indexes(count).flatMap((index) => [
    `  - key: ${caseName(index)}`,
    `    input: { question: How do I send item ${index} back? }`,
    `    scorer: ${scorerOf(index)}`,
    `    expected: "${OUTPUT} ${index}"`,
  ]);
  return ['version: 1', 'suite: returns', 'scorers:', ...scorers, 'cases:', ...cases, ''].join('\n');
}

const outputsOf = (count: number) =>
  indexes(count).map((index) => ({ case: caseName(index), output: `${OUTPUT} ${index}` }));

export interface Served {
  readonly apiKey: string;
  /** What the service itself needs for a run and its results, in milliseconds. */
  serve(): Promise<number>;
}

/** The same suite at the service. */
export async function makeServedSuite(url: string, cases: number): Promise<Served> {
  const { api_key } = await new Evalgate({ url }).auth.signup({ name: 'With the command line' });
  const gate = new Evalgate({ url, apiKey: api_key.key });
  await gate.projects.create({ name: 'Bot', slug: 'bot' });
  const suite = await gate.suites.create('bot', { name: 'Returns', slug: 'returns' });
  const ids = new Map<string, string>();
  for (const [name, scorer] of Object.entries(SCORERS)) {
    ids.set(name, (await gate.scorers.create('bot', { name, ...scorer })).id);
  }
  for (const index of indexes(cases)) {
    const expected = `${OUTPUT} ${index}`;
    const scorer_id = ids.get(scorerOf(index)) ?? '';
    await gate.cases.create(suite.id, {
      name: caseName(index),
      key: caseName(index),
      input: {},
      expected,
      scorer_id,
    });
  }
  const body: RunsCreateBody = { suite: 'returns', project: 'bot', outputs: outputsOf(cases) };
  return {
    apiKey: api_key.key,
    async serve() {
      const begun = performance.now();
      const { id } = await gate.run(body);
      await gate.runs.results(id).page();
      return performance.now() - begun;
    },
  };
}
