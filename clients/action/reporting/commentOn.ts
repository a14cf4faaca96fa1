import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import { COMMENT_CHARACTERS_MAX, writeComment } from './comment.ts';
import { createGithub } from './github.ts';
import { commentMarkdown } from './markdown.ts';
import { pullRequestOf } from './pullRequest.ts';
import type { View } from './view.ts';

interface Told {
  readonly view: View;
  readonly inputs: Inputs;
  readonly signal: AbortSignal;
}

/** The comment on the pull request of the event, where there is one and the inputs want it. */
export async function commentOn(runner: Runner, { view, inputs, signal }: Told): Promise<void> {
  const { job, ending, suite } = view;
  const token = inputs.text('github-token');
  // A job of a fork may not comment.
  if (inputs.comment === 'never' || ending.verdict === 'skipped' || token === '') return;
  const github = createGithub(runner, token, signal);
  const pullRequest = await pullRequestOf(github, job, inputs);
  if (pullRequest === undefined) {
    if (inputs.pullRequest !== undefined) {
      const message = `No comment: the head of pull request ${inputs.pullRequest} is not ${job.sha}, which was judged.`;
      runner.annotate('notice', 'evalgate', message);
    }
    return;
  }
  const url = await writeComment(github, job, {
    pullRequest,
    key: inputs.text('comment-key') || JSON.stringify([job.id, suite]),
    mayCreate: inputs.comment === 'always' || ending.verdict !== 'cleared',
    markdown: commentMarkdown(view, COMMENT_CHARACTERS_MAX),
  });
  if (url !== undefined) runner.setOutput('comment-url', url);
}
