import { createHash } from 'node:crypto';
import { type CaseInput, caseInputs } from '../gate/outputs/cases.ts';
import type { Answers } from '../gate/outputs/readAnswers.ts';
import { issuesOf, permittedSuites } from '../gate/problems/issues.ts';
import { lostSentence } from '../gate/problems/lostAnswers.ts';
import { outputIssue } from '../importers/outputs/outputLines.ts';
import { type Evalgate, EvalgateError, type Outcome, type RunsCreateBody } from '../sdk/index.ts';
import { type Job, legName } from './job/event.ts';
import type { Inputs } from './job/inputs.ts';
import type { Runner } from './job/runner.ts';
import type { Settings } from './job/settings.ts';
import { type LoggingIn, loginLines } from './login.ts';
import { Problem } from './problem.ts';

const META_BYTES_MAX = 16_384;
const ISSUES_MAX = 10;
/** A silent step looks like one that hangs. */
const PROGRESS_MS = 30_000;

/** The inputs of the cases of the suite. */
export async function casesOf(
  client: Evalgate,
  project: string,
  suite: string,
  signal?: AbortSignal,
): Promise<CaseInput[]> {
  const { id } = await client.suites.get(project, suite, { signal });
  return caseInputs(client, id, signal);
}

/** What the run is sent as. It is the same for each try of one attempt of a job. */
export function bodyOf(inputs: Inputs, job: Job, { project }: Settings, answers: Answers): RunsCreateBody {
  const { output, outputs } = answers;
  return {
    suite: inputs.text('suite'),
    project,
    ...(outputs === undefined ? { output } : { outputs }),
    ...(inputs.input && { input: inputs.input }),
    trigger: 'github_action',
    trigger_meta: metaOf(inputs, job),
  };
}

function metaOf({ meta, pullRequest }: Inputs, job: Job): Readonly<Record<string, unknown>> {
  const jobMeta = {
    repository: job.repository,
    sha: job.sha,
    ref: job.ref,
    pr: job.pullRequest ?? pullRequest,
    event: job.event,
    actor: job.actor,
    workflow: job.workflow,
    job: job.id,
    leg: legName(job),
    run_id: job.runId,
    attempt: job.attempt,
    url: job.url,
  };
  const taken = Object.keys(meta).find((name) => name in jobMeta);
  if (taken !== undefined) throw new Problem(`Input meta: ${taken} is set by the action itself.`);
  const all = { ...meta, ...jobMeta };
  if (Buffer.byteLength(JSON.stringify(all)) > META_BYTES_MAX) {
    throw new Problem('Input meta: trigger_meta has more than 16 kB.');
  }
  return all;
}

/** A job that runs again is another run; jobs of a matrix, which share their name, differ by what they send. */
export function idempotencyKeyOf({ runId, attempt, id, step }: Job, body: RunsCreateBody): string {
  return createHash('sha256')
    .update(JSON.stringify([runId, attempt, id, step, body]))
    .digest('hex');
}

export interface Sent {
  readonly body: RunsCreateBody;
  readonly wait: string;
  readonly idempotencyKey: string;
  readonly onRunId: (runId: string) => void;
}

export async function runAndWait(runner: Runner, client: Evalgate, sent: Sent): Promise<Outcome> {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const { body, wait, idempotencyKey, onRunId } = sent;
  const { now } = runner.environment;
  return client.run(body, {
    wait,
    idempotencyKey,
    onPending({ id }) {
      onRunId(id);
      if (now() - saidAtMs < PROGRESS_MS) return;
      saidAtMs = now();
      runner.print(`Run ${id} is pending.`);
    },
  });
}

/** The error with what to do about it, and with the lines of the file that it is about. */
export function explained(
  error: unknown,
  used: LoggingIn & { readonly answers: Answers | undefined },
): unknown {
  if (!(error instanceof EvalgateError)) return error;
  const suites = permittedSuites(error);
  const permitted = suites.length > 0 ? [`Suites that this credential may run: ${suites.join(', ')}`] : [];
  const issues = issuesOf(error).slice(0, ISSUES_MAX);
  error.message = [
    lostSentence(error),
    ...loginLines(error, used),
    ...permitted,
    ...issues.map((issue) => outputIssue(used.answers?.file, issue)),
  ].join('\n');
  return error;
}
