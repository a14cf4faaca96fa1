import path from 'node:path';
import { madeBy, type Plan } from '../../report/plan.ts';
import { planText } from '../../report/planText.ts';
import type { Evalgate } from '../../sdk/index.ts';
import { EvalgateError } from '../../sdk/index.ts';
import { isOwnEvent } from '../../suites/config/ownEvents.ts';
import { putInForce } from '../../suites/push/putInForce.ts';
import { problemLine } from '../../suites/read/problems.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import type { Settings } from '../job/settings.ts';
import { Problem } from '../problem.ts';
import { createClient } from '../run.ts';
import type { readSuites, SuiteOfFile } from './suites.ts';

/** As the bundle lies beside this one: it holds schemas and scorers, and is read only here. */
const SUITES = './suites.mjs';

/** As the service gives jobs the scope: others could be started by a pull request. */
const PUSHING = ['push', 'workflow_dispatch', 'schedule'];

/** A suite of the files with its plan, or with what was pushed. */
export interface Told extends Plan {
  readonly file: SuiteOfFile;
}

export function refuseEvent({ event }: Job, { command }: Inputs): void {
  if (command === 'push' && !PUSHING.includes(event)) {
    throw new Problem(
      `Command push refuses jobs of ${event || 'an unknown event'}: only those of ${PUSHING.join(', ')} say what the bar is.`,
    );
  }
  if (!isOwnEvent(event)) {
    throw new Problem(
      `In a job of ${event || 'an unknown event'} files of suites are not trusted: a fork may have brought them.`,
    );
  }
}

/** Plans suites in files, and with the command push puts them in force. */
export async function planOrPush(runner: Runner, inputs: Inputs, settings: Settings): Promise<Told[]> {
  const suites = await suitesOf(runner, inputs, settings);
  const client = createClient(runner, settings, inputs.command === 'push' ? 'suites' : undefined);
  const plans: Told[] = [];
  for (const file of suites) {
    const answer = await put(client, { inputs, settings, file })({ dry_run: true });
    plans.push({ suite: file.suite, answer, file });
  }
  if (inputs.command === 'plan') return plans;
  const weaker = plans.filter(({ answer }) => answer.weaker.length > 0).map(({ suite }) => suite);
  if (weaker.length > 0 && !inputs.mayBeWeaker) {
    for (const plan of plans) runner.print(planText(plan, { hidesValues: true }));
    throw new Problem(
      `The bar gets or may get weaker (${weaker.join(', ')}), and allow-weaker is false: nothing was pushed.`,
    );
  }
  return pushAll(client, { inputs, settings, plans });
}

async function pushAll(
  client: Evalgate,
  { inputs, settings, plans }: { inputs: Inputs; settings: Settings; plans: readonly Told[] },
): Promise<Told[]> {
  const pushed: Told[] = [];
  let isFresh = true;
  for (const plan of plans) {
    const { file, answer: shown } = plan;
    const answer = await putInForce({ shown, isFresh, put: put(client, { inputs, settings, file }) });
    if (answer === undefined) {
      throw new Problem(`The suite ${plan.suite} was changed by somebody else meanwhile: run the job again.`);
    }
    if (madeBy(plan).length > 0) isFresh = false;
    // What was changed is in the plan: a repeated push answers that there is nothing left.
    pushed.push({
      ...plan,
      answer: { ...answer, changes: shown.changes, weaker: shown.weaker, affects: shown.affects },
    });
  }
  return pushed;
}

type Answer = Told['answer'];

const put =
  (client: Evalgate, { inputs, settings, file }: { inputs: Inputs; settings: Settings; file: SuiteOfFile }) =>
  (options: object): Promise<Answer> => {
    const { suite, source } = file;
    const definition = file.definition as Parameters<Evalgate['definitions']['put']>[2]['definition'];
    const body = { definition, prune: inputs.prunes, source, ...options };
    return client.definitions.put(settings.project, suite, body).catch((error: unknown) => {
      throw explainedOf(error, file);
    });
  };

/** With the fields that the service refused. */
function explainedOf(error: unknown, { file }: SuiteOfFile): unknown {
  if (!(error instanceof EvalgateError)) return error;
  const issues = Array.isArray(error.details?.issues) ? (error.details.issues as unknown[]) : [];
  const told = issues.slice(0, 10).map((issue) => {
    const { path: at, message } = issue as { readonly path?: unknown; readonly message?: unknown };
    return `${file}: ${String(at)}: ${String(message)}`;
  });
  if (error.code === 'SCOPE_REQUIRED') told.push(SCOPE_HINT);
  error.message = [error.message, ...told].join('\n');
  return error;
}

const SCOPE_HINT =
  'The job needs a registration of scope suites: evalgate trust <owner/repo> --scope suites --ref refs/heads/main --workflow <file>';

async function suitesOf(runner: Runner, inputs: Inputs, { project }: Settings): Promise<SuiteOfFile[]> {
  const workspace = runner.variable('GITHUB_WORKSPACE') ?? '.';
  const module = (await import(SUITES)) as { readonly readSuites: typeof readSuites };
  const { suites, problems } = await module.readSuites({
    config: path.resolve(workspace, inputs.text('config')),
    workspace,
    patterns: inputs
      .text('files')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
    project,
    env: Object.fromEntries(
      ['GITHUB_ACTIONS', 'GITHUB_REPOSITORY', 'GITHUB_REF', 'GITHUB_SHA'].map((name) => [
        name,
        runner.variable(name),
      ]),
    ),
  });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Problem(errors.slice(0, 20).map(problemLine).join('\n'));
  for (const warning of problems) runner.annotate('warning', 'evalgate', problemLine(warning));
  if (suites.length === 0)
    throw new Problem('There is no suite in the files: see the input files, and suites in evalgate.yaml.');
  return suites;
}
