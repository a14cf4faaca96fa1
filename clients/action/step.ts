import { mismatchedHints, refusedNames, surplusNames } from '../gate/outputs/mismatched.ts';
import type { Answers } from '../gate/outputs/readAnswers.ts';
import { safeJson } from '../gate/report/escape.ts';
import { type Evalgate, EvalgateError } from '../sdk/index.ts';
import { acceptRuns, reportAcceptance } from './accept.ts';
import { planOrPush, refuseEvent } from './definitions/act.ts';
import { reportPlans } from './definitions/report.ts';
import type { Io, Variables } from './io.ts';
import { readInputAnswers } from './job/answers.ts';
import { readJob } from './job/event.ts';
import { type Inputs, readInputs } from './job/inputs.ts';
import { createRunner, type Runner } from './job/runner.ts';
import { readSettings } from './job/settings.ts';
import { removeNamedFile, writeNamedFile } from './job/writeNamedFile.ts';
import type { Known, Ready } from './known.ts';
import { createClient } from './login.ts';
import { type Ending, endingOf, endingOfError, skippedFork } from './outcome.ts';
import { outputsOf, setOutputs } from './outputs.ts';
import { attempted } from './reporting/attempted.ts';
import { withinReportingTime } from './reporting/deadline.ts';
import { report } from './reporting/report.ts';
import { bodyOf, casesOf, explained, idempotencyKeyOf, runAndWait } from './run.ts';

/** The whole step of a job; gives its exit code. */
export async function runStep(env: Variables, io: Io): Promise<number> {
  const runner = createRunner(env, io);
  const known: Known = {};
  const ending = await act(runner, known).catch((error: unknown) =>
    endingOfError(error, known.inputs?.failOn, known.runId),
  );
  const exitCode = ending?.isFailure ? ending.exitCode : 0;
  io.onExitCode(exitCode);
  await reportEnd(runner, known, ending);
  return exitCode;
}

/** Undefined: what was to be planned, pushed or accepted is. */
async function act(runner: Runner, known: Known): Promise<Ending | undefined> {
  const inputs = readInputs(runner);
  known.inputs = inputs;
  const job = readJob(runner);
  known.job = job;
  if (inputs.command !== 'run') refuseEvent(job, inputs);
  // What a fork wants its bar to be is no plan of this repository.
  const holdsKey = inputs.command === 'run' && Boolean(inputs.apiKey);
  if (job.isFork && !holdsKey) return skippedFork(inputs);
  const ready = { inputs, job, settings: readSettings(runner, inputs, job) };
  if (inputs.command === 'run') return runGate(runner, known, ready);
  await (inputs.command === 'accept' ? acceptRuns : planOrPush)(runner, known, ready);
  return undefined;
}

async function runGate(runner: Runner, known: Known, ready: Ready): Promise<Ending> {
  const { inputs, job, settings } = ready;
  // One of an earlier step proves nothing of this run.
  removeNamedFile(runner, inputs, 'statement-file');
  const client = createClient(runner, known, settings);
  const failedWith = (answers?: Answers) => (error: unknown) => {
    throw explained(error, { ...ready, known, answers });
  };
  const cases = () => casesOf(client, settings.project, inputs.text('suite'));
  const answers = await readInputAnswers(runner, inputs, cases).catch(failedWith());
  known.gate = { settings, client };
  const body = bodyOf(inputs, job, settings, answers);
  const idempotencyKey = idempotencyKeyOf(job, body);
  const onRunId = (runId: string): void => {
    known.runId = runId;
  };
  const sent = { body, wait: inputs.wait, idempotencyKey, onRunId };
  const outcome = await runAndWait(runner, client, sent).catch((error: unknown) => {
    if (error instanceof EvalgateError) known.mismatched = refusedNames(error, answers.outputs);
    return failedWith(answers)(error);
  });
  known.mismatched = surplusNames(outcome);
  const ending = endingOf(outcome, inputs);
  if (ending.verdict !== 'cleared' || inputs.text('statement-file') === '') return ending;
  return writeStatement(runner, client, inputs, ending);
}

/** Without it a later job could not prove what was cleared: the step ends without a verdict. */
async function writeStatement(
  runner: Runner,
  client: Evalgate,
  inputs: Inputs,
  ending: Ending,
): Promise<Ending> {
  try {
    const statement = await client.runs.statement(ending.runId ?? '');
    writeNamedFile(runner, inputs, 'statement-file', `${safeJson(statement)}\n`);
    return ending;
  } catch (error) {
    const message = `The run was cleared, but its statement could not be had: ${(error as Error).message}`;
    return { verdict: 'error', exitCode: 3, isFailure: true, runId: ending.runId, message };
  }
}

/** Which keys may be intended, where the suite shows them. */
async function reportMismatchedOutputs(runner: Runner, { gate, inputs, mismatched }: Known): Promise<void> {
  if (gate === undefined || inputs === undefined || mismatched === undefined || mismatched.length === 0)
    return;
  await withinReportingTime(runner, async (signal) => {
    const { client, settings } = gate;
    const cases = () => casesOf(client, settings.project, inputs.text('suite'), signal);
    const hints = await mismatchedHints(mismatched, cases);
    if (hints.length > 0) runner.annotate('warning', 'evalgate', hints.join('\n'));
  });
}

async function reportEnd(runner: Runner, known: Known, ending: Ending | undefined): Promise<void> {
  const { inputs, job } = known;
  if (ending !== undefined) {
    await attempted(runner, 'The outputs', () =>
      setOutputs(runner, outputsOf(ending, known.gate?.settings.url)),
    );
  }
  if (inputs === undefined || job === undefined) {
    runner.annotate('error', 'evalgate', ending?.message ?? '');
  } else if (inputs.command === 'run' && ending !== undefined) {
    await attempted(runner, 'The nearest keys', () => reportMismatchedOutputs(runner, known));
    await attempted(runner, 'The report', () => report(runner, { ...known, ending, inputs, job }));
  } else if (inputs.command === 'accept') {
    await attempted(runner, 'The report', () => reportAcceptance(runner, { ...known, ending, inputs, job }));
  } else {
    await attempted(runner, 'The report', () => reportPlans(runner, { ...known, ending, inputs, job }));
  }
}
