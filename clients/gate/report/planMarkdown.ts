import { markdownInline } from './escape.ts';
import {
  affectedWords,
  type Plan,
  type PlanDisplay,
  type PlannedChange,
  planCounts,
  planLine,
  planTitle,
  warningWords,
} from './plan.ts';
import { type Words, written } from './words.ts';

const WEAKER: readonly string[] = ['weaker', 'may be weaker'];
const isWeaker = ({ effect }: PlannedChange): boolean => WEAKER.includes(effect);

/** Plans for a comment or a summary: what makes the bar weaker comes first, and bold. */
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
  const suites = plans
    .filter(({ answer }) => answer.weaker.length > 0)
    .map(({ suite }) => markdownInline(suite));
  return suites.length === 0 ? '' : `⚠️ **The bar gets or may get weaker**: ${suites.slice(0, 20).join(', ')}`;
}

function suiteLines(plan: Plan, display: PlanDisplay): string[] {
  const line = (words: Words): string => written(words, markdownInline);
  const { changes } = plan.answer;
  const ordered = [...changes.filter(isWeaker), ...changes.filter((change) => !isWeaker(change))];
  return [
    `#### ${markdownInline(plan.suite)} (${line(planTitle(plan))})\n`,
    ...warningWords(plan).map((words) => `- ⚠️ ${line(words)}`),
    ...ordered.map((change) => changeLine(change, display)),
    ...affectedWords(plan).map((words) => `- ${line(words)}`),
    `\n${planCounts(plan)}`,
  ];
}

function changeLine(change: PlannedChange, display: PlanDisplay): string {
  const { sign, words, effect } = planLine(change, display);
  const text = `\`${sign}\` ${written(words, markdownInline)}`;
  return effect === undefined ? `- ${text}` : `- **${effect}**: **${text}**`;
}
