import { commandMessage, commandProperty, safeJson } from '../../report/escape.ts';
import { madeBy, planLine, type Telling } from '../../report/plan.ts';
import { planMarkdown } from '../../report/planMarkdown.ts';
import { planText } from '../../report/planText.ts';
import { written } from '../../report/words.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import { attempted } from '../reporting/attempted.ts';
import { COMMENT_CHARACTERS_MAX, writeComment } from '../reporting/comment.ts';
import { createGithub } from '../reporting/github.ts';
import { pullRequestOf } from '../reporting/pullRequest.ts';
import { isKeysOnly } from '../reporting/view.ts';
import type { Told } from './act.ts';

const SUMMARY_CHARACTERS_MAX = 200_000;
const REPORTING_MS = 60_000;
/** GitHub shows ten of a level and step. */
const ANNOTATIONS_MAX = 9;

/** Tells what changes wherever it is read. Nothing that fails here changes the end of the step. */
export async function reportPlans(
  runner: Runner,
  inputs: Inputs,
  job: Job,
  told: readonly Told[],
): Promise<void> {
  const telling = { hidesValues: isKeysOnly(inputs, job) };
  const isPush = inputs.command === 'push';
  const weaker = told.some(({ answer }) => answer.weaker.length > 0);
  await attempted(runner, 'The outputs', () => {
    runner.setOutput('exit-code', '0');
    runner.setOutput('changes', safeJson(told.map(({ suite, answer }) => ({ suite, ...answer }))));
    runner.setOutput('weaker', String(weaker));
  });
  await attempted(runner, 'The log', () => {
    for (const plan of told) runner.print(planText(plan, telling));
    if (inputs.hasAnnotations) runner.write(annotationsOf(told, telling));
  });
  const title = isPush ? 'Pushed suites' : 'Plan of the suites';
  const markdown = (max: number) => planMarkdown(title, told, telling, max);
  await attempted(runner, 'The summary', () => {
    runner.appendSummary(
      markdown(Math.min(SUMMARY_CHARACTERS_MAX, Math.floor(runner.summaryBytesLeft() / 4))),
    );
  });
  if (!isPush) await attempted(runner, 'The comment', () => comment(runner, { inputs, job, told, markdown }));
}

function annotationsOf(told: readonly Told[], telling: Telling): string {
  const all = told.flatMap(({ answer, file }) => answer.weaker.map((change) => ({ change, file })));
  const lines = all.slice(0, ANNOTATIONS_MAX).map(({ change, file }) => {
    const { words, effect = 'weaker' } = planLine(change, telling);
    const place = change.kind === 'case' ? file.places.get(change.key) : undefined;
    const at = `file=${commandProperty(place?.file ?? file.file)},line=${place?.line ?? 1}`;
    const message = `${effect}: ${written(words, (text) => text)}`;
    return `::warning title=${commandProperty(`evalgate: ${file.suite}`)},${at}::${commandMessage(message)}\n`;
  });
  const more = all.length - lines.length;
  return `${lines.join('')}${more > 0 ? `::warning title=evalgate::and ${more} more changes that are or may be weaker\n` : ''}`;
}

interface Commenting {
  readonly inputs: Inputs;
  readonly job: Job;
  readonly told: readonly Told[];
  readonly markdown: (charactersMax: number) => string;
}

/** One of its own, beside that of a gate. */
async function comment(runner: Runner, { inputs, job, told, markdown }: Commenting): Promise<void> {
  const token = inputs.text('github-token');
  if (inputs.comment === 'never' || token === '') return;
  const github = createGithub(runner, token, AbortSignal.timeout(REPORTING_MS));
  const pullRequest = await pullRequestOf(github, job, inputs);
  if (pullRequest === undefined) return;
  const isTold = inputs.comment === 'always' ? (plan: Told) => madeBy(plan).length > 0 : isWeaker;
  const url = await writeComment(github, job, {
    pullRequest,
    key: inputs.text('comment-key') || 'plan',
    mayCreate: told.some(isTold),
    markdown: markdown(COMMENT_CHARACTERS_MAX),
  });
  if (url !== undefined) runner.setOutput('comment-url', url);
}

const isWeaker = ({ answer }: Told): boolean => answer.weaker.length > 0;
