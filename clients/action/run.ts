import { createHash } from 'node:crypto';
import { lostSentence } from '../gate/report/lostAnswers.ts';
import { allAsked } from '../importers/outputs/asked.ts';
import { outputIssue } from '../importers/outputs/outputLines.ts';
import type { Asked } from '../importers/outputs/promptfoo.ts';
import { type Evalgate, EvalgateError, type Outcome, type RunsCreateBody } from '../sdk/index.ts';
import type { Answers } from './job/answers.ts';
import { type Job, legName } from './job/event.ts';
import type { Inputs } from './job/inputs.ts';
import type { Runner } from './job/runner.ts';
import type { Settings } from './job/settings.ts';
import { type LoggingIn, loginLines } from './login.ts';
import { Problem } from './problem.ts';

const META_BYTES_MAX = 16_384;
/** A silent step looks like one that hangs. */
const PROGRESS_MS = 30_000;

/** The cases of the suite, as far as it shows them. */
export async function askedOf(
  client: Evalgate,
  project: string,
  suite: string,
  signal?: AbortSignal,
): Promise<readonly Asked[]> {
  const { id } = await client.suites.get(project, suite, { signal });
  return allAsked((query) => client.cases.inputs(id, query, { signal }));
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
  const own = {
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
  const taken = Object.keys(meta).find((name) => name in own);
  if (taken !== undefined) throw new Problem(`Input meta: ${taken} is told by the action itself.`);
  const all = { ...meta, ...own };
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

const NO_FILE = { items: [], places: [] };

interface Issue {
  readonly path?: string;
  readonly message?: string;
}

/** The error with what to do about it, and with the lines of the file that it is about. */
export function explained(
  error: unknown,
  used: LoggingIn & { readonly answers: Answers | undefined },
): unknown {
  if (!(error instanceof EvalgateError)) return error;
  const said = [lostSentence(error), ...loginLines(error, used)];
  const { suites, issues } = (error.details ?? {}) as {
    suites?: readonly string[];
    issues?: readonly Issue[];
  };
  if (Array.isArray(suites)) said.push(`Suites that this credential may run: ${suites.join(', ')}`);
  for (const { path = '', message = '' } of Array.isArray(issues) ? issues.slice(0, 10) : []) {
    said.push(outputIssue(used.answers?.file ?? NO_FILE, { path, message }));
  }
  error.message = said.join('\n');
  return error;
}
