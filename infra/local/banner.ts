import path from 'node:path';
import { DEMO, GOOD_OUTPUT, WORSE_OUTPUT } from './demo.ts';

export interface BannerFacts {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiKeyFile: string;
  readonly isNewKey: boolean;
  readonly isKnownKey: boolean;
  readonly isLostKey: boolean;
  readonly dataDir: string;
  /** How many provider keys the vault key opens none of. */
  readonly closedKeys: number;
  /** Whether this start made the project to look at. */
  readonly hasDemo: boolean;
  /** Whether the key's organisation had a project before. */
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
Payments:  ${facts.payments}${closedKeys(facts)}
API docs:  ${facts.baseUrl}/docs
${facts.isKnownKey ? commands(facts) : ''}
`;
}

/** The function works in every folder, on the Node of this repository. */
function commands({ baseUrl, apiKeyFile, hasDemo, hasData }: BannerFacts): string {
  const [heading, ...lines] = hasDemo ? ofDemo() : hasData ? OF_DATA : [IN_SHELL];
  return `
${heading}

evalgate() { node ${quoted(START)} --runtime clients/cli/main.ts "$@"; }
evalgate login --url ${quoted(baseUrl)} --with-key < ${quoted(apiKeyFile)}
${lines.map((line) => `${line}\n`).join('')}
${hasData ? 'All commands: evalgate help' : 'Cases of your own: evalgate init --no-suite, then evalgate import, in the folder of your program'}
`;
}

const IN_SHELL = 'In a second shell, in the folder of your program';
const OF_DATA = [`${IN_SHELL}: each suite, with its latest run`, 'evalgate runs'];

function ofDemo(): string[] {
  const { project, suite } = DEMO;
  const run = (output: string): string =>
    `echo ${quoted(output)} | evalgate run ${suite} --project ${project} --output -`;
  return [
    'In a second shell: a good answer, which the gate of the project Demo clears, and a worse one, which it aborts',
    run(GOOD_OUTPUT),
    run(WORSE_OUTPUT),
  ];
}

function closedKeys({ closedKeys: count, dataDir }: BannerFacts): string {
  if (count === 0) return '';
  return `
Judges:    ${count} stored provider keys cannot be opened by ${path.join(dataDir, 'vault-key')}, which was lost or is another one:
           bring back the file of that time, or revoke these keys and add them again`;
}

const OPERATOR = path.resolve(import.meta.dirname, '../../scripts/operator.ts');

function whereTheKeyIs(facts: BannerFacts): string {
  const { apiKey, apiKeyFile, isNewKey, isKnownKey, isLostKey, dataDir } = facts;
  if (isLostKey) {
    return `lost: ${apiKeyFile} is gone or empty, while the database holds an organisation, whose other keys go on.
           Bring the file back, or make another key for it, by
           EVALGATE_DATA_DIR=${quoted(dataDir)} node ${quoted(START)} --runtime ${quoted(OPERATOR)} create-key`;
  }
  if (isNewKey) return `${apiKey}\n           (kept in ${apiKeyFile})`;
  if (isKnownKey) return `kept in ${apiKeyFile}`;
  return `the one in ${apiKeyFile} belongs to another database: move that file away and start again to get one`;
}

/** Quotes any text as one word of sh, bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
