import type { JobClaims } from '../../files/config/jobToken.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import { attempted } from './attempted.ts';
import { type Choice, chooseComment } from './choice.ts';
import { COMMENT_CHARACTERS_MAX, deleteComment, ownComments, type Thread, writeComment } from './comment.ts';
import { createGithub } from './github.ts';
import { shortSha } from './markdown.ts';
import { compareRuns, markerOf } from './marker.ts';
import { pullRequestOf } from './pullRequest.ts';

export interface Commenting {
  readonly inputs: Inputs;
  readonly job: Job;
  /** What GitHub says of the job, where it has logged in. */
  readonly claims: JobClaims | undefined;
  readonly signal: AbortSignal;
  /** Whether one is written where there is none. */
  readonly mayCreate: boolean;
  readonly markdown: string;
}

/** The comment on the pull request of the event, where there is one and the inputs want it. */
export async function commentOn(runner: Runner, commenting: Commenting): Promise<void> {
  const { inputs, job, signal } = commenting;
  if (inputs.comment === 'never') return;
  const token = inputs.text('github-token');
  if (token === '') {
    runner.annotate('notice', 'evalgate', NO_TOKEN);
    return;
  }
  const github = createGithub(runner, token, signal);
  const pullRequest = await pullRequestOf(github, job, inputs);
  if (pullRequest !== undefined) {
    await writeOne(runner, { github, job, pullRequest }, commenting);
  } else if (inputs.pullRequest !== undefined) {
    const message = `No comment: the head of pull request ${inputs.pullRequest} is not ${shortSha(job.sha)}, which was judged.`;
    runner.annotate('notice', 'evalgate', message);
  }
}

const NO_TOKEN =
  'No comment: the input github-token is empty, since this job does not get the secret that the workflow names there. Leave the input out, or set comment: never.';

async function writeOne(runner: Runner, thread: Thread, commenting: Commenting): Promise<void> {
  const { inputs, job, claims, mayCreate, markdown } = commenting;
  const { command } = inputs;
  const jobMarker = markerOf(job, command, [inputs.text('comment-key'), inputs.text('suite')]);
  const isSole = isSoleJob(claims);
  const comments = await ownComments(
    thread,
    jobMarker.step,
    ({ marker }) =>
      isSole &&
      marker.label === jobMarker.label &&
      marker.leg === jobMarker.leg &&
      compareRuns(marker, jobMarker) <= 0,
  );
  const choosing = { isSole, legs: job.leg.total, isPlan: command === 'plan' };
  const choice = chooseComment(jobMarker, comments, choosing);
  if (choice.isOutdated || !(mayCreate || choice.isKnown)) return;
  runner.setOutput('comment-url', await writeComment(thread, jobMarker, written(markdown, choice)));
  for (const comment of choice.removes) {
    await attempted(runner, 'An earlier comment', () => deleteComment(thread, comment), 'deleted');
  }
}

/** Where both verdicts do not fit into one comment, the second gets its own. */
function written(markdown: string, { replaces, isJoined }: Choice): Parameters<typeof writeComment>[2] {
  if (replaces === undefined || !isJoined) return { markdown, replaces };
  const both = `${replaces.markdown.trimEnd()}\n\n---\n\n${markdown}`;
  return both.length <= COMMENT_CHARACTERS_MAX
    ? { markdown: both, replaces }
    : { markdown, replaces: undefined };
}

/** A called workflow names another file than that of the run. With an API key nothing says whether it was called. */
const isSoleJob = (claims: JobClaims | undefined): boolean =>
  typeof claims?.job_workflow_ref === 'string' && claims.job_workflow_ref === claims.workflow_ref;
