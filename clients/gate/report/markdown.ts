import { markdownBlock, markdownInline } from './escape.ts';
import { counted } from './numbers.ts';
import { explanation, oneLine, resultState, shortened, titleOf } from './results.ts';
import { sectionsOf } from './review/sections.ts';
import { waiverOf } from './review/waiver.ts';
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

/** A step or command that passes shows no cross over its green check, and one that fails no check. */
function markOf(state: RunState, passes: boolean | undefined): string {
  if (passes === undefined || state === 'pending') return MARKS[state];
  return passes ? MARKS[state === 'cleared' ? state : 'inconclusive'] : MARKS.aborted;
}

/** GitHub-flavoured Markdown, for a summary or a comment. `passes`: what comes of the run, where that is known. */
export function markdownReport(report: Report, passes?: boolean): string {
  const { run } = report;
  const { state, headline, facts, notices } = summaryOf(report);
  const line = (words: Words): string => written(words, markdownInline);
  const listOf = (list: readonly Words[], before = ''): string =>
    list.map((words) => `- ${before}${line(words)}`).join('\n');
  // What is newly failing stands before the statistics of a baseline. That of a branch are counts.
  const ofBranch = run.comparison ? 0 : (report.comparison?.sentences.length ?? 0);
  const first = (waiverOf(run) === undefined ? 0 : 1) + ofBranch;
  const sections = sectionParts(report);
  const parts = [
    `### ${markOf(state, passes)} ${titleOfRun(run)}`,
    `**${line(headline)}**`,
    listOf(facts.slice(0, first)),
    ...sections.filter(({ isNew }) => isNew).map(({ text }) => text),
    listOf(facts.slice(first)),
    listOf(notices, 'note: '),
    ...sections.filter(({ isNew }) => !isNew).map(({ text }) => text),
    footerOf(report),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A run outlives its suite. */
function titleOfRun({ id, suite }: Report['run']): string {
  const names = suite ? [suite.slug, suite.project_slug].filter((name) => name !== '') : [];
  return names.length === 0
    ? `run ${markdownInline(id)}`
    : `${names.map(markdownInline).join(' ')} (evalgate)`;
}

function footerOf({ run, page, areHidden }: Report): string {
  const { id, passed_cases, total_cases, failed_cases } = run;
  const link = page === undefined ? '' : `${pageLink(page)}. `;
  const passed = `${link}${passed_cases} of ${counted(total_cases, 'case')} passed`;
  return failed_cases === 0 || areHidden
    ? `${passed}. Run ${markdownInline(id)}`
    : `${passed}. The rest: ${markdownInline(`evalgate results ${id} --failed`)}`;
}

/** An address has none of the characters that would end it here. */
export const pageLink = (page: string): string => `[See the run](<${page}>)`;

/** All together show at most so many results, of so many characters. */
function sectionParts(report: Report): { readonly isNew: boolean; readonly text: string }[] {
  let [left, room] = [SHOWN_MAX, BLOCK_MAX];
  return sectionsOf(report).map(({ title, results, count, isUrgent, isNew }) => {
    const lines = results
      .slice(0, left)
      .map(resultLine)
      .filter(({ length }) => {
        room -= length + 1;
        return room >= 0;
      });
    left -= lines.length;
    const more = count > lines.length ? `\n\nand ${counted(count - lines.length, 'case')} more` : '';
    const block = lines.length === 0 ? '' : markdownBlock(lines.join('\n'));
    const open = isUrgent ? ' open' : '';
    // The blank line ends the HTML before the block begins.
    const summary = `<summary>${written(title, markdownInline)}</summary>`;
    return { isNew, text: `<details${open}>${summary}\n\n${block}${more}\n\n</details>` };
  });
}

/** A line break of a reason would look like the begin of another result. */
function resultLine(result: ReportedResult): string {
  const why = oneLine(shortened(explanation(result), EXPLANATION_MAX));
  return `${resultState(result).padEnd(8)}  ${oneLine(titleOf(result))}  ${why}`;
}
