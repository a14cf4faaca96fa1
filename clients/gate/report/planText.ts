import { terminalLine } from './escape.ts';
import {
  affectedWords,
  type Plan,
  type PlanDisplay,
  type PlanLine,
  planCounts,
  planLines,
  planTitle,
  warningWords,
} from './plan.ts';
import { type Paint, unpainted } from './text.ts';
import { type Words, written } from './words.ts';

const SHOWN_MAX = 200;

const STYLES = { '+': 'green', '~': 'yellow', '-': 'red', '·': 'dim', '!': 'yellow' } as const;

/** A plan for people at a terminal. Ends with a line end. */
export function planText(plan: Plan, display: PlanDisplay, paint: Paint = unpainted): string {
  const lines = planLines(plan.answer.changes, display);
  const line = (words: Words): string => written(words, terminalLine);
  const more = lines.length - SHOWN_MAX;
  const warnings = plan.answer.warnings.map((warning) => warningWords(warning, display));
  return [
    `${paint('bold', terminalLine(plan.suite))}  (${line(planTitle(plan))})`,
    ...lines.slice(0, SHOWN_MAX).map((one) => changeText(one, paint)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...[...warnings, ...affectedWords(plan)].map((words) => `  ! ${line(words)}`),
    planCounts(plan),
    '',
  ].join('\n');
}

function changeText({ sign, words, effect }: PlanLine, paint: Paint): string {
  const weaker = effect === undefined ? '' : `  ${paint('red', effect)}`;
  return `  ${paint(STYLES[sign], sign)} ${written(words, terminalLine)}${weaker}`;
}
