import { planOrPush, refuseEvent } from './definitions/act.ts';
import { reportPlans } from './definitions/report.ts';
import { readAnswers } from './job/answers.ts';
import { type Job, readJob } from './job/event.ts';
import { type Inputs, readInputs } from './job/inputs.ts';
import { createRunner, type Runner } from './job/runner.ts';
import { readSettings, type Settings } from './job/settings.ts';
import { type Ending, endingOf, endingOfError, skippedFork } from './outcome.ts';
import { outputsOf, setOutputs } from './outputs.ts';
import { attempted } from './reporting/attempted.ts';
import { type Finished, report } from './reporting/report.ts';
import { bodyOf, createClient, explained, idempotencyKeyOf, runAndWait } from './run.ts';

/** What is known at the moment; the rest is not known where something fails. */
type Known = { -readonly [Name in keyof Finished]?: Finished[Name] } & { runId?: string };

async function act(runner: Runner, known: Known): Promise<Ending | undefined> {
  const inputs = readInputs(runner);
  known.inputs = inputs;
  const job = readJob(runner);
  known.job = job;
  if (inputs.command !== 'run') refuseEvent(job, inputs);
  // What a fork wants its bar to be is no plan of this repository.
  const mayRun = inputs.command === 'run' && Boolean(inputs.apiKey);
  if (job.isFork && !mayRun) return skippedFork(inputs);
  const settings = readSettings(runner, inputs, job);
  if (inputs.command === 'run') return runGate(runner, known, { inputs, job, settings });
  await reportPlans(runner, inputs, job, await planOrPush(runner, inputs, settings));
  return undefined;
}

interface Ready {
  readonly inputs: Inputs;
  readonly job: Job;
  readonly settings: Settings;
}

async function runGate(runner: Runner, known: Known, { inputs, job, settings }: Ready): Promise<Ending> {
  const answers = readAnswers(runner, inputs);
  const client = createClient(runner, settings);
  known.gate = { settings, client };
  const body = bodyOf(inputs, job, settings, answers);
  const idempotencyKey = idempotencyKeyOf(job, body);
  const onRunId = (runId: string): void => {
    known.runId = runId;
  };
  const sent = { body, wait: inputs.wait, idempotencyKey, onRunId };
  const outcome = await runAndWait(runner, client, sent).catch((error: unknown) => {
    throw explained(error, job, answers);
  });
  return endingOf(outcome, inputs);
}

/** Until there is a verdict. */
let exitCode = 3;

async function step(runner: Runner): Promise<void> {
  const known: Known = {};
  const ending = await act(runner, known).catch((error: unknown) =>
    endingOfError(error, known.inputs?.failOn, known.runId),
  );
  if (ending === undefined) {
    exitCode = 0;
    return;
  }
  exitCode = ending.isFailure ? ending.exitCode : 0;
  const { inputs, job, gate } = known;
  await attempted(runner, 'The outputs', () => setOutputs(runner, outputsOf(ending)));
  if (inputs === undefined || job === undefined) {
    runner.annotate('error', 'evalgate', ending.message ?? '');
  } else {
    await attempted(runner, 'The report', () => report(runner, { ending, inputs, job, gate }));
  }
}

const ownRunner = createRunner(process.env, (text) => void process.stdout.write(text));
// Node itself would end with 1, which means that the candidate is not good enough.
process.on('uncaughtException', ({ message }) => {
  ownRunner.annotate('error', 'evalgate', message);
  process.exit(exitCode);
});
await step(ownRunner);
// A connection that is still open keeps the job no longer.
process.stdout.write('', () => process.exit(exitCode));
