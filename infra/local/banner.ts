import path from 'node:path';
import { DEMO, GOOD_OUTPUT, WORSE_OUTPUT } from './demo.ts';

export interface BannerFacts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyFile: string;
  readonly isNewKey: boolean;
  readonly isKnownKey: boolean;
  /** Whether the key's organisation has a project. */
  readonly hasData: boolean;
  readonly payments: string;
}

const START = path.resolve(import.meta.dirname, '../../scripts/with-node.mjs');

/** The text printed at the start: addresses, API key, and commands to paste, one a line. */
export function banner(facts: BannerFacts): string {
  return `
evalgate is running. Ctrl-C stops it.

Dashboard: ${facts.baseUrl}/app
Base URL:  ${facts.baseUrl}
API key:   ${whereTheKeyIs(facts)}
Payments:  ${facts.payments}
API docs:  ${facts.baseUrl}/docs
${facts.isKnownKey ? commands(facts) : ''}
`;
}

/** The function works in every folder, on the Node of this repository. */
function commands({ baseUrl, apiKeyFile, hasData }: BannerFacts): string {
  const heading = hasData
    ? 'In a second shell, in the folder of your program: each suite, with its latest run'
    : 'In a second shell: a suite, a good answer, which the gate clears, and a worse one, which it aborts';
  return `
${heading}

evalgate() { node ${quoted(START)} --runtime clients/cli/main.ts "$@"; }
evalgate login --url ${quoted(baseUrl)} --with-key < ${quoted(apiKeyFile)}
${hasData ? 'evalgate runs' : demo()}

${hasData ? 'All commands: evalgate help' : 'Cases of your own: evalgate init --no-suite, then evalgate import, in the folder of your program'}
`;
}

function demo(): string {
  const { project, suite, template } = DEMO;
  const made = JSON.stringify({ template_slug: template, slug: suite });
  const run = (output: string): string =>
    `echo ${quoted(output)} | evalgate run ${suite} --project ${project} --output -`;
  return `evalgate projects create Demo --slug ${project}
evalgate api POST /v1/projects/${project}/suites/from-template -d ${quoted(made)}
${run(GOOD_OUTPUT)}
${run(WORSE_OUTPUT)}`;
}

function whereTheKeyIs({ apiKey, apiKeyFile, isNewKey, isKnownKey }: BannerFacts): string {
  if (isNewKey) return `${apiKey}\n           (kept in ${apiKeyFile})`;
  if (isKnownKey) return `kept in ${apiKeyFile}`;
  return `the one in ${apiKeyFile} belongs to another database: move that file away and start again to get one`;
}

/** Quotes any text as one word of sh, bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
