import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFIG_FILE, findWorkTree } from '../../../files/disk/repository.ts';
import { sourceOf } from '../../../files/push/source.ts';
import { scalar } from './initTexts.ts';
import type { InitPlace } from './place.ts';

export interface WorkflowFacts {
  readonly suite: string;
  /** Of the service. */
  readonly url: string;
  /** `owner/name@sha` of the action. */
  readonly action: string;
  readonly runsOn: string;
}

const UNKNOWN_ACTION = 'OWNER/evalgate@<sha>';
const OWN_ROOT = path.resolve(import.meta.dirname, '../../../..');

/** The commit that this program runs from, where it runs from a clone that has a remote. */
function ownAction(): string {
  if (!existsSync(path.join(OWN_ROOT, 'action.yml'))) return UNKNOWN_ACTION;
  const { repository, sha } = sourceOf({}, OWN_ROOT, path.join(OWN_ROOT, 'action.yml'));
  return repository === undefined || sha === undefined ? UNKNOWN_ACTION : `${repository}@${sha}`;
}

const isLoopback = (url: string): boolean => /^https?:\/\/(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/.test(url);

/** Only a runner on the machine itself reaches a service of its loopback address. */
export const workflowFacts = (suite: string, url: string | undefined): WorkflowFacts => ({
  suite,
  url: url ?? '<url>',
  action: ownAction(),
  runsOn: url !== undefined && isLoopback(url) ? 'self-hosted' : 'ubuntu-latest',
});

export const gateWorkflow = ({ suite, url, action, runsOn }: WorkflowFacts): string => `name: Gate
on: { pull_request: {}, push: { branches: [main] } }
permissions: { contents: read, id-token: write, pull-requests: write }
jobs:
  plan: # what the pull request changes of the bar
    if: github.event_name == 'pull_request'
    runs-on: ${runsOn}
    steps:
      - uses: actions/checkout@v5
      - uses: ${action}
        with: { command: plan }
  gate:
    runs-on: ${runsOn}
    steps:
      - uses: actions/checkout@v5
      # Your program writes {"case": "…", "output": "…"} for each case. One that answers one case at a time is called by
      # npx --yes --package ${url}/client/evalgate.tgz evalgate ask ${suite} --out answers.jsonl -- <program>
      - run: ./answer.sh > answers.jsonl
      - uses: ${action}
        with: { suite: ${scalar(suite)}, outputs-file: answers.jsonl }
`;

export const pushWorkflow = ({ action, runsOn }: WorkflowFacts): string => `name: Push suites
on: { push: { branches: [main], paths: [evalgate.yaml, 'evals/**'] } }
permissions: { contents: read, id-token: write }
concurrency: push-suites
jobs:
  push: # runs nothing of the application, whose code could use the same token
    runs-on: ${runsOn}
    steps:
      - uses: actions/checkout@v5
      - uses: ${action}
        with: { command: push }
`;

/** What is left to do after the workflows are written, one a line. */
export function workflowNotes(
  cwd: string,
  { action, runsOn }: WorkflowFacts,
  { place, withPush }: { readonly place: InitPlace | undefined; readonly withPush: boolean },
): string[] {
  const workTree = findWorkTree(cwd);
  const { repository = '<owner/repo>' } = sourceOf({}, workTree, path.join(workTree, CONFIG_FILE));
  const folder = path.relative(workTree, cwd).split(path.sep).join('/');
  const trustCommand = `evalgate trust ${repository} --project ${place?.project ?? '<slug>'}`;
  return [
    ...(action === UNKNOWN_ACTION
      ? [`Put a commit of this service's repository in place of ${action}.`]
      : []),
    ...(runsOn === 'self-hosted'
      ? [
          'The jobs need a self-hosted runner on this machine, and the service in its container: docs/self-hosting.md',
        ]
      : []),
    ...(folder === ''
      ? []
      : [
          `GitHub reads workflows of the repository's root only: move .github there, and add config: ${folder}/${CONFIG_FILE} to each "with".`,
        ]),
    'Put your program in place of ./answer.sh. Once:',
    `  ${trustCommand} --workflow gate.yml`,
    ...(withPush ? [`  ${trustCommand} --workflow push.yml --scope suites --ref refs/heads/main`] : []),
  ];
}
