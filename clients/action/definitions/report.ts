import { commandMessage, commandProperty, safeJson } from '../../gate/report/escape.ts';
import {
  madeBy,
  type PlanDisplay,
  type PlannedChange,
  planLine,
  warningWords,
} from '../../gate/report/plan.ts';
import { planMarkdown } from '../../gate/report/planMarkdown.ts';
import { planText } from '../../gate/report/planText.ts';
import type { CasePlace } from '../../gate/report/types.ts';
import { joined, plain, type Words, written } from '../../gate/report/words.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import type { Known } from '../known.ts';
import type { Ending } from '../outcome.ts';
import { attempted } from '../reporting/attempted.ts';
import { COMMENT_CHARACTERS_MAX } from '../reporting/comment.ts';
import { commentOn } from '../reporting/commentOn.ts';
import { withinReportingTime } from '../reporting/deadline.ts';
import { endingMarkdown } from '../reporting/markdown.ts';
import { isKeysOnly } from '../reporting/view.ts';
import type { AnsweredPlan } from './suites.ts';

const SUMMARY_CHARACTERS_MAX = 200_000;
/** GitHub shows ten of a level and step. */
const ANNOTATIONS_MAX = 9;

export interface Planned extends Pick<Known, 'plans' | 'claims'> {
  readonly inputs: Inputs;
  readonly job: Job;
  /** Where the step did not do what it was to do. */
  readonly ending: Ending | undefined;
}

/** Reports what changes or would change. A failure to report it does not change how the step ends. */
export const reportPlans = (runner: Runner, planned: Planned): Promise<void> =>
  withinReportingTime(runner, (signal) => report(runner, planned, signal));

async function report(runner: Runner, planned: Planned, signal: AbortSignal): Promise<void> {
  const { inputs, job, plans = [], ending, claims } = planned;
  const display = { hidesValues: isKeysOnly(inputs, job) };
  await attempted(runner, 'The outputs', () => setOutputs(runner, planned));
  await attempted(runner, 'The log', () => {
    for (const plan of plans) runner.print(planText(plan, display));
    if (inputs.hasAnnotations) runner.write(annotationsOf(plans, display));
    if (ending === undefined) return;
    runner.annotate(levelOf(ending), `evalgate: ${inputs.command}`, ending.message ?? '');
  });
  const markdown = (max: number): string => markdownOf(planned, display, max);
  await attempted(runner, 'The summary', () => {
    const max = Math.min(SUMMARY_CHARACTERS_MAX, Math.floor(runner.summaryBytesLeft() / 4));
    runner.appendSummary(markdown(max));
  });
  // A push writes no comment: `plan` has written it on the pull request.
  if (inputs.command === 'push' || ending?.verdict === 'skipped') return;
  const isReported = (plan: AnsweredPlan): boolean =>
    madeBy(plan).length > 0 &&
    (inputs.comment === 'always' || isWeaker(plan) || plan.answer.warnings.length > 0);
  await attempted(runner, 'The comment', () =>
    commentOn(runner, {
      inputs,
      job,
      claims,
      signal,
      mayCreate: ending !== undefined || plans.some(isReported),
      markdown: markdown(COMMENT_CHARACTERS_MAX),
    }),
  );
}

/** Also of a push that was refused: a later step may ask who accepts the plan. */
function setOutputs(runner: Runner, { plans, ending }: Planned): void {
  if (ending === undefined) runner.setOutput('exit-code', '0');
  if (plans === undefined) return;
  runner.setOutput('changes', safeJson(plans.map(({ suite, answer }) => ({ suite, ...answer }))));
  runner.setOutput('weaker', String(plans.some(isWeaker)));
}

function levelOf({ exitCode, isFailure }: Ending): 'notice' | 'warning' | 'error' {
  if (exitCode === 0) return 'notice';
  return isFailure ? 'error' : 'warning';
}

function markdownOf({ inputs, job, plans, ending }: Planned, display: PlanDisplay, max: number): string {
  const isPush = inputs.command === 'push';
  const without = isPush ? 'not pushed, or not all' : 'no plan';
  const failed = ending && endingMarkdown({ ending, title: inputs.command, job, without });
  if (plans === undefined) return (failed ?? '').slice(0, Math.max(max, 0));
  const title = isPush && ending === undefined ? 'Pushed suites' : 'Plan of the suites';
  const head = failed === undefined ? '' : `${failed}\n`;
  return head + planMarkdown(title, plans, display, max - head.length);
}

function annotationsOf(answered: readonly AnsweredPlan[], display: PlanDisplay): string {
  const all = answered.flatMap((plan) => [
    ...plan.answer.warnings.map((warning) =>
      annotation(plan, warningWords(warning, display), plan.file.places.get(warning.case ?? '')),
    ),
    ...plan.answer.weaker.map((change) => weakerAnnotation(plan, change, display)),
  ]);
  const more = all.length - ANNOTATIONS_MAX;
  const rest = more > 0 ? `::warning title=evalgate::and ${more} more: see the summary\n` : '';
  return all.slice(0, ANNOTATIONS_MAX).join('') + rest;
}

function weakerAnnotation(plan: AnsweredPlan, change: PlannedChange, display: PlanDisplay): string {
  const { words, effect = 'weaker' } = planLine(change, display);
  const place = change.kind === 'case' ? plan.file.places.get(change.key) : undefined;
  return annotation(plan, joined([plain(effect), words], ': '), place);
}

function annotation({ file }: AnsweredPlan, words: Words, place?: CasePlace): string {
  const location = `file=${commandProperty(place?.file ?? file.file)},line=${place?.line ?? 1}`;
  const message = commandMessage(written(words, (text) => text));
  return `::warning title=${commandProperty(`evalgate: ${file.suite}`)},${location}::${message}\n`;
}

const isWeaker = ({ answer }: AnsweredPlan): boolean => answer.weaker.length > 0;
