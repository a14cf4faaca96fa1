import { isOwnEvent } from '../../files/config/ownEvents.ts';
import { problemLine } from '../../files/read/problems.ts';
import { issuesOf } from '../../gate/problems/issues.ts';
import { pushPlans } from '../../gate/pushPlans.ts';
import { weakerIn } from '../../gate/report/plan.ts';
import type { Evalgate } from '../../sdk/index.ts';
import { EvalgateError } from '../../sdk/index.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import type { Settings } from '../job/settings.ts';
import type { Known, Ready } from '../known.ts';
import { createClient, loginLines } from '../login.ts';
import { Problem } from '../problem.ts';
import type { AnsweredPlan, SuiteOfFile } from './suites.ts';

/** As the service gives jobs the scope: others could be started by a pull request. */
const PUSHING = ['push', 'workflow_dispatch', 'schedule'];

export function refuseEvent({ event }: Job, { command }: Inputs): void {
  if (command !== 'plan' && !PUSHING.includes(event)) {
    throw new Problem(
      `Command ${command} refuses jobs of ${event || 'an unknown event'}: only those of ${PUSHING.join(', ')} may change the bar.`,
    );
  }
  if (!isOwnEvent(event)) {
    throw new Problem(
      `In a job of ${event || 'an unknown event'} files of suites are not trusted: a fork may have brought them.`,
    );
  }
}

/** Plans suites in files, and with the command push puts them in force. */
export async function planOrPush(runner: Runner, known: Known, ready: Ready): Promise<void> {
  const { inputs, settings } = ready;
  const suites = await suitesOf(runner, inputs, settings);
  const scope = inputs.command === 'push' ? 'suites' : undefined;
  const client = createClient(runner, known, settings, scope);
  const put = putter(client, { ...ready, known, scope });
  const plans: AnsweredPlan[] = [];
  for (const file of suites)
    plans.push({ suite: file.suite, answer: await put(file)({ dry_run: true }), file });
  known.plans = plans;
  if (inputs.command === 'plan') return;
  const toLookAt = plans.filter(({ answer }) => answer.weaker.length > 0);
  if (toLookAt.length > 0 && !inputs.mayBeWeaker) {
    const isWeaker = toLookAt.some((plan) => weakerIn(plan).length > 0);
    const what = isWeaker ? 'The bar gets or may get weaker' : 'Another answer is expected';
    throw new Problem(
      `${what} (${toLookAt.map(({ suite }) => suite).join(', ')}), and allow-weaker is false: nothing was pushed.`,
    );
  }
  await pushAll(put, plans);
}

/** What was pushed takes the place of its plan. */
async function pushAll(put: ReturnType<typeof putter>, plans: AnsweredPlan[]): Promise<void> {
  for await (const { plan, answer } of pushPlans([...plans], ({ file }, options) => put(file)(options))) {
    if (answer === undefined) {
      throw new Problem(`The suite ${plan.suite} was changed meanwhile: run the job again.`);
    }
    // What was changed is in the plan: a repeated push answers that there is nothing left.
    const { changes, weaker, affects } = plan.answer;
    plans[plans.indexOf(plan)] = { ...plan, answer: { ...answer, changes, weaker, affects } };
  }
}

type Answer = AnsweredPlan['answer'];

interface Putting extends Ready {
  readonly known: Known;
  readonly scope: 'suites' | undefined;
}

const putter =
  (client: Evalgate, putting: Putting) =>
  (file: SuiteOfFile) =>
  (options: object): Promise<Answer> => {
    const { inputs, settings } = putting;
    const { suite, source } = file;
    const definition = file.definition as Parameters<Evalgate['definitions']['put']>[2]['definition'];
    const body = { definition, prune: inputs.prunes, source, ...options };
    return client.definitions.put(settings.project, suite, body).catch((error: unknown) => {
      throw explainedOf(error, file, putting);
    });
  };

/** With the fields that the service refused, and what a job lacks that may not log in. */
function explainedOf(error: unknown, { file }: SuiteOfFile, putting: Putting): unknown {
  if (!(error instanceof EvalgateError)) return error;
  const issueLines = issuesOf(error)
    .slice(0, 10)
    .map(({ path, message }) => `${file}: ${path}: ${message}`);
  error.message = [error.message, ...issueLines, ...loginLines(error, putting)].join('\n');
  return error;
}

async function suitesOf(runner: Runner, inputs: Inputs, { project }: Settings): Promise<SuiteOfFile[]> {
  const { readSuites } = await runner.loadSuites();
  const { suites, problems } = await readSuites({
    config: runner.inWorkspace(inputs.text('config')),
    workspace: runner.inWorkspace('.'),
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
