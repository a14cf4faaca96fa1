import { Problems } from '../../files/read/problems.ts';
import { refusedNames, surplusNames } from '../../gate/outputs/mismatched.ts';
import type { AnswerReading } from '../../gate/outputs/readAnswers.ts';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { type Evalgate, EvalgateError, type RunsCreateBody } from '../../sdk/index.ts';
import { metaOfJob } from '../ci.ts';
import { type Connected, type Context, connect, type Handler } from '../context.ts';
import { type AnswerOptions, readGivenAnswers } from '../input/answers.ts';
import { idempotencyKeyOf, inputOf, pairsOf, waitOf } from '../input/options.ts';
import { casesOf, warnOfMismatched } from '../output/mismatched.ts';
import { stopAtErrors } from '../output/problems.ts';
import { startProgress } from '../output/progress.ts';
import { reportTargets } from '../output/reports.ts';
import { printVerdict } from '../output/verdict.ts';
import { Problem } from '../problem.ts';

export interface RunOptions extends AnswerOptions {
  readonly input?: string;
  readonly meta?: readonly string[];
  readonly async?: boolean;
  readonly wait: string;
  readonly idempotencyKey?: string;
  readonly report?: readonly string[];
  /** Whether a waiver counts. */
  readonly waivers: boolean;
  /** The command that sends the same outputs again, where it is another one than this. */
  readonly again?: string;
}

/** What was sent, so that the user can find the run again. */
interface Sent {
  readonly body: RunsCreateBody;
  readonly wait: string;
  readonly idempotencyKey: string;
  readonly again: string | undefined;
}

/** Runs a gate and waits for its verdict. */
export const run: Handler<RunOptions> = async (context, [suite = ''], options) => {
  const { io } = context;
  const targets = reportTargets(io, options.report ?? []);
  if (options.async && options.report) {
    throw new Problem('--async gives no verdict to report.', 'Leave --report out, or --async.');
  }
  const wait = waitOf(options.wait);
  const idempotencyKey = idempotencyKeyOf(options.idempotencyKey);
  const given = await givenOf(context, options, () => casesOf(context, connect(context), suite)).catch(
    (error) => {
      if (options.again !== undefined) context.terminal.warn(`the outputs are kept: ${options.again}`);
      throw error;
    },
  );
  const connected = connect(context);
  const { gate, settings } = connected;
  const body = {
    suite,
    ...(settings.project && { project: settings.project }),
    ...given,
    trigger: 'cli' as const,
  };
  const sent = { body, wait, idempotencyKey, again: options.again };
  if (options.async) return sendOnly(context, gate, sent);
  const outcome = await sendAndWait(context, connected, sent).catch(async (error) => {
    if (error instanceof EvalgateError)
      await warnOfMismatched(context, connected, suite, refusedNames(error, given.outputs));
    throw error;
  });
  const exitCode = await printVerdict(context, gate, outcome, { targets, waivers: options.waivers });
  await warnOfMismatched(context, connected, suite, surplusNames(outcome));
  return exitCode;
};

type Given = Omit<RunsCreateBody, 'suite' | 'project' | 'trigger'>;

async function givenOf(context: Context, options: RunOptions, cases: AnswerReading['cases']): Promise<Given> {
  const { io } = context;
  if (options.input === '@-' && [options.output, ...(options.outputs ?? [])].includes('-')) {
    throw new Problem('Only one of --output and --input can be stdin.');
  }
  const given = pairsOf('--meta', options.meta ?? [], 'sha=1f2e3d');
  const meta = { ...metaOfJob(io, given), ...given };
  const input = options.input === undefined ? undefined : await inputOf(io, options.input);
  return {
    ...(await outputOf(context, options, cases)),
    ...(input && { input }),
    ...(Object.keys(meta).length > 0 && { trigger_meta: meta }),
  };
}

async function outputOf(
  { io, terminal, facts }: Context,
  options: RunOptions,
  cases: AnswerReading['cases'],
): Promise<Given> {
  const problems = new Problems();
  const answers = await readGivenAnswers(io, options, problems, { cases });
  stopAtErrors(problems, terminal);
  if (answers?.outputs === undefined) return { output: answers?.output };
  facts.outputs = answers.file;
  return { outputs: answers.outputs };
}

async function sendOnly({ io, terminal, globals }: Context, gate: Evalgate, sent: Sent): Promise<number> {
  const { body, idempotencyKey } = sent;
  const answer = await gate.runs.create({ ...body, async: true }, { idempotencyKey, signal: io.signal });
  terminal.data(globals.json ? `${safeJson(answer, 2)}\n` : `${answer.id}\n`);
  terminal.say(`Its verdict: evalgate wait ${answer.id}`);
  return EXIT.done;
}

async function sendAndWait(
  context: Context,
  { gate, settings }: Connected,
  { body, wait, idempotencyKey, again }: Sent,
) {
  const { io, terminal, facts } = context;
  const progress = startProgress(io, terminal, `Running ${body.suite} at ${settings.url}`);
  facts.onConnection = progress.connection;
  let runId: string | undefined;
  try {
    return await gate.run(body, {
      wait,
      idempotencyKey,
      signal: io.signal,
      onPending({ id }) {
        runId = id;
        progress.update(`Run ${id} is pending`);
      },
    });
  } catch (error) {
    progress.stop();
    // Whether it was interrupted or lost: the run may go on.
    if (runId !== undefined) terminal.warn(`the run goes on: evalgate wait ${runId}`);
    else if (io.signal.aborted || (error instanceof EvalgateError && error.isUnsure)) {
      const command = again ?? 'the same command with';
      terminal.warn(
        `the run may have been accepted: ${command} --idempotency-key ${idempotencyKey} finds it.`,
      );
    } else if (again !== undefined) terminal.warn(`the outputs are kept: ${again}`);
    throw error;
  } finally {
    progress.stop();
  }
}
