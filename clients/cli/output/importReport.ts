import { markdownInline, terminalLine } from '../../gate/report/escape.ts';
import { counted } from '../../gate/report/numbers.ts';
import type { Group, ImportReport } from '../../importers/imports/report.ts';

/** How a line of the report is written: for people at a terminal, or in Markdown. */
interface Style {
  heading(text: string): string;
  /** Foreign words may be part of it. */
  words(text: string): string;
  code(text: string): string;
}

const TERMINAL: Style = {
  heading: (text) => `\n${text}:`,
  words: terminalLine,
  code: terminalLine,
};

/** A code span takes everything but a backtick as it is. */
const codeSpan = (text: string): string =>
  text.includes('`') || text.trim() === '' ? markdownInline(text) : `\`${terminalLine(text)}\``;

const MARKDOWN: Style = {
  heading: (text) => `\n## ${text}\n`,
  words: (text) => (/^[A-Za-z0-9 ,;:()'{}-]+$/.test(text) ? text : codeSpan(text)),
  code: codeSpan,
};

const PLACES_SHOWN_MAX = 100;

export const importReportText = (report: ImportReport): string => `${linesOf(report, TERMINAL).join('\n')}\n`;

/** How that of any import begins. */
export const REPORT_HEADING = '# Import from ';

const headingOf = ({ source }: ImportReport): string => `${REPORT_HEADING}${source}\n`;

/** How the report of each import of this config begins. */
export const reportHead = (report: ImportReport): string =>
  `${headingOf(report)}\n${MARKDOWN.code(report.config)}: `;

export const importReportMarkdown = (report: ImportReport): string =>
  `${headingOf(report)}\n${linesOf(report, MARKDOWN).join('\n')}\n`;

function linesOf(report: ImportReport, style: Style): string[] {
  const { config, unit, assertions, mapped, mapped_with_difference, not_mapped } = report;
  return [
    `${style.code(config)}: ${counted(assertions, unit)}: ${mapped} mapped, ${mapped_with_difference} mapped with a difference, ${not_mapped} not mapped`,
    ...groupLines('Mapped with a difference', report.differences, style),
    ...groupLines('Not mapped', report.missing, style),
    ...noteLines('Not read', report.unread, style),
    ...noteLines('Notes', report.notes, style),
  ];
}

function groupLines(heading: string, groups: readonly Group[], style: Style): string[] {
  if (groups.length === 0) return [];
  return [
    style.heading(heading),
    ...groups.flatMap(({ reason, assertions, places }) => [
      `- ${style.words(reason)}: ${assertions}`,
      ...places.slice(0, PLACES_SHOWN_MAX).map(({ file, line, type, assertions: count }) => {
        const times = count === 1 ? '' : ` × ${count}`;
        return `  - ${style.code(`${file}:${line}`)} ${style.code(type || 'no type')}${times}`;
      }),
      ...more(places.length - PLACES_SHOWN_MAX, '  - '),
    ]),
  ];
}

function noteLines(heading: string, notes: ImportReport['notes'], style: Style): string[] {
  if (notes.length === 0) return [];
  const shown = notes.slice(0, PLACES_SHOWN_MAX);
  return [
    style.heading(heading),
    ...shown.map(({ file, line, message }) => `- ${style.code(`${file}:${line}`)} ${style.words(message)}`),
    ...more(notes.length - shown.length, '- '),
  ];
}

const more = (count: number, before: string): string[] => (count > 0 ? [`${before}and ${count} more`] : []);
