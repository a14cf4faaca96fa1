import { terminalLine } from './escape.ts';
import { judgeUsageText } from './judgeUsage.ts';
import { counted, seconds } from './numbers.ts';
import { explanation, type ResultState, resultState, shortened, titleOf } from './results.ts';
import { sectionsOf } from './review/sections.ts';
import { summaryOf } from './summary.ts';
import type { Report, ReportedResult, RunState } from './types.ts';
import { type Words, written } from './words.ts';

type Style = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
/** Writes a text in a style, or as it is. */
export type Paint = (style: Style, text: string) => string;

export const unpainted: Paint = (_style, text) => text;

const SHOWN_MAX = 100;
const EXPLANATION_MAX = 400;

const SIGNS: Readonly<Record<ResultState, readonly [Style, string]>> = {
  failed: ['red', '✗'],
  errored: ['yellow', '?'],
  missing: ['red', '–'],
  advisory: ['dim', '~'],
  passed: ['green', '✓'],
};

const STATE_STYLES: Readonly<Record<RunState, Style>> = {
  cleared: 'green',
  aborted: 'red',
  inconclusive: 'yellow',
  pending: 'yellow',
  unknown: 'yellow',
};

/** One line of a result. */
export function resultLine(result: ReportedResult, paint: Paint): string {
  const state = resultState(result);
  const [style, sign] = SIGNS[state];
  const advisory = state === 'advisory' ? 'advisory: ' : '';
  const why = shortened(explanation(result), EXPLANATION_MAX);
  const mustPass = result.must_pass === true && state !== 'passed' ? ' (must pass)' : '';
  return `${paint(style, sign)} ${terminalLine(titleOf(result))}${mustPass}  ${paint('dim', terminalLine(advisory + why))}`;
}

/** For people at a terminal. Ends with a line end. */
export function textReport(report: Report, paint: Paint = unpainted): string {
  const { run } = report;
  const summary = summaryOf(report);
  const line = (words: Words): string => written(words, terminalLine);
  const lines = [
    titleLine(report),
    paint('bold', paint(STATE_STYLES[summary.state], line(summary.headline))),
    ...summary.facts.map((words) => `  ${line(words)}`),
    ...summary.notices.map((words) => `  note: ${line(words)}`),
    ...resultLines(report, paint),
  ];
  if (run.status !== 'pending')
    lines.push(`  ${paint('green', '✓')} ${counted(run.passed_cases, 'case')} passed`);
  const judges = judgeUsageText(run);
  if (judges !== undefined) lines.push(`  ${paint('dim', judges)}`);
  if (report.page !== undefined) lines.push(`  ${terminalLine(report.page)}`);
  return `${lines.join('\n')}\n`;
}

function titleLine({ run }: Report): string {
  const { suite, id, status, duration_ms } = run;
  const names = suite ? [suite.slug, suite.project_slug, id] : [id];
  const took = status === 'pending' ? [] : [seconds(duration_ms)];
  return [...names.map(terminalLine), ...took].join('  ');
}

/** Titles only where there is something to tell apart. */
function resultLines(report: Report, paint: Paint): string[] {
  const sections = sectionsOf(report);
  const isTitled = report.comparison !== undefined && report.comparison.changes.size > 0;
  let left = SHOWN_MAX;
  return sections.flatMap(({ title, results, count }) => {
    const shown = results.slice(0, left).map((result) => `  ${resultLine(result, paint)}`);
    left -= shown.length;
    const hidden = count - shown.length;
    const head = isTitled ? [`  ${written(title, terminalLine)}:`] : [];
    return [...head, ...shown, ...(hidden > 0 ? [`  and ${counted(hidden, 'case')} more`] : [])];
  });
}
