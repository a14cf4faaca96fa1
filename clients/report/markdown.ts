import { markdownBlock, markdownInline } from './escape.ts';
import { counted } from './numbers.ts';
import { explanation, inOrder, labelOf, resultState, shortened } from './results.ts';
import { summaryOf } from './summary.ts';
import type { Report, ReportedResult, RunState } from './types.ts';
import { type Words, written } from './words.ts';

const SHOWN_MAX = 50;
/** A comment on GitHub ends at 65,536 characters: so many results fit, escaped as badly as can be. */
const BLOCK_MAX = 8_000;
const EXPLANATION_MAX = 300;

const MARKS: Readonly<Record<RunState, string>> = {
  cleared: '✅',
  aborted: '❌',
  inconclusive: '⚠️',
  pending: '⏳',
  unknown: '⚠️',
};

/** GitHub-flavoured Markdown, for a summary or a comment. */
export function markdownReport(report: Report): string {
  const { run } = report;
  const summary = summaryOf(report);
  const line = (words: Words): string => written(words, markdownInline);
  const title = [run.suite?.slug, run.suite?.project_slug].filter((name) => name !== undefined);
  const parts = [
    `### ${[MARKS[summary.state], ...title.map(markdownInline)].join(' ')}`,
    `**${line(summary.headline)}**`,
    [...summary.gates, ...summary.flips, ...summary.asides].map((words) => `- ${line(words)}`).join('\n'),
    summary.notices.map((words) => `- note: ${line(words)}`).join('\n'),
    ...resultParts(report),
    `${counted(run.passed_cases, 'case')} of ${run.total_cases} passed. Run ${markdownInline(run.id)}`,
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function resultParts({ run, results }: Report): string[] {
  const open = inOrder(results).filter(({ passed }) => !passed);
  const count = Math.max(open.length, run.failed_cases + (run.advisory_failed_cases ?? 0));
  if (open.length === 0) return [];
  const lines = fitting(open.slice(0, SHOWN_MAX).map(resultLine));
  const more = count > lines.length ? `\n\nand ${counted(count - lines.length, 'case')} more` : '';
  const summary = `${counted(count, 'case')} that did not pass`;
  // The blank line ends the HTML before the block begins.
  return [
    `<details open><summary>${summary}</summary>\n\n${markdownBlock(lines.join('\n'))}${more}\n\n</details>`,
  ];
}

/** A line break of a reason would look like the begin of another result. */
function resultLine(result: ReportedResult): string {
  const why = shortened(explanation(result), EXPLANATION_MAX).replace(/\s+/g, ' ');
  return `${resultState(result).padEnd(8)}  ${labelOf(result).replace(/\s+/g, ' ')}  ${why}`;
}

function fitting(lines: readonly string[]): readonly string[] {
  let length = 0;
  return lines.filter((line) => {
    length += line.length + 1;
    return length <= BLOCK_MAX;
  });
}
