import { markdownInline } from './escape.ts';
import {
  affectedWords,
  lookedAt,
  type Plan,
  type PlanDisplay,
  type PlanLine,
  planCounts,
  planLines,
  planTitle,
  warningWords,
  weakerIn,
} from './plan.ts';
import { type Words, written } from './words.ts';

/** Plans for a comment or a summary: what has to be looked at comes first, and bold. */
export function planMarkdown(
  title: string,
  plans: readonly Plan[],
  display: PlanDisplay,
  charactersMax: number,
): string {
  let left = charactersMax - 1_000;
  let hidden = 0;
  const fitting = (lines: readonly string[]): string[] =>
    lines.filter((line) => {
      left -= line.length + 1;
      if (left < 0) hidden++;
      return left >= 0;
    });
  const parts = plans.map((plan) => fitting(suiteLines(plan, display)).join('\n'));
  const more = hidden > 0 ? [`and ${hidden} more lines`] : [];
  return `${[`### ${title}`, warningOf(plans), ...parts, ...more].filter((part) => part !== '').join('\n\n')}\n`;
}

function warningOf(plans: readonly Plan[]): string {
  const named = (some: readonly Plan[]) =>
    some
      .slice(0, 20)
      .map(({ suite }) => markdownInline(suite))
      .join(', ');
  const weaker = plans.filter((plan) => weakerIn(plan).length > 0);
  const withOtherAnswers = plans.filter((plan) => plan.answer.weaker.length > weakerIn(plan).length);
  return [
    ...(weaker.length > 0 ? [`⚠️ **The bar gets or may get weaker**: ${named(weaker)}`] : []),
    ...(withOtherAnswers.length > 0 ? [`⚠️ **Another answer is expected**: ${named(withOtherAnswers)}`] : []),
  ].join('\n\n');
}

function suiteLines(plan: Plan, display: PlanDisplay): string[] {
  const line = (words: Words): string => written(words, markdownInline);
  const { changes, warnings } = plan.answer;
  const toLookAt = changes.filter(lookedAt);
  const ordered = [...toLookAt, ...changes.filter((change) => !lookedAt(change))];
  return [
    `#### ${markdownInline(plan.suite)} (${line(planTitle(plan))})\n`,
    ...warnings.map((warning) => `- ⚠️ ${line(warningWords(warning, display))}`),
    ...planLines(ordered, display).map(changeLine),
    ...affectedWords(plan).map((words) => `- ${line(words)}`),
    `\n${planCounts(plan)}`,
  ];
}

function changeLine({ sign, words, effect }: PlanLine): string {
  const text = `\`${sign}\` ${written(words, markdownInline)}`;
  return effect === undefined ? `- ${text}` : `- **${effect}**: **${text}**`;
}
