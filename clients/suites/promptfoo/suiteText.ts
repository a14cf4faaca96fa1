import { yamlText } from '../write/yamlText.ts';
import type { Imported } from './import.ts';
import type { ImportReport } from './report.ts';

const HEAD = 'Imported from promptfoo: import-report.md says what is not the same.';

/** The file of a suite. What it lacks stands at its head. */
export const suiteText = ({
  suite: { slug, name },
  scorers,
  cases,
  report,
}: Omit<Imported, 'outputs'>): string =>
  yamlText(
    {
      version: 1,
      suite: slug,
      ...(name === undefined ? {} : { name }),
      pass_threshold: 1,
      scorers: Object.fromEntries(scorers.map(({ key, ...scorer }) => [key, scorer])),
      cases,
    },
    [HEAD, ...missingLines(report), ...unreadLines(report)].map(oneLine).join('\n '),
  );

const LINES_MAX = 100;

function missingLines({ missing, not_mapped, assertions }: ImportReport): string[] {
  if (missing.length === 0) return [];
  const lines = missing.flatMap(({ reason, assertions: count, places }) => [
    `- ${reason}: ${count}`,
    ...places.map(({ file, line, type }) => `  - ${file}:${line} ${type}`.trimEnd()),
  ]);
  return [`Missing here, since not mapped: ${not_mapped} of ${assertions} assertions:`, ...shortened(lines)];
}

function unreadLines({ unread }: ImportReport): string[] {
  const lines = unread.map(({ file, line, message }) => `- ${file}:${line} ${message}`);
  return lines.length === 0 ? [] : ['Missing here, since not read:', ...shortened(lines)];
}

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX), `- and ${lines.length - LINES_MAX} more lines: see import-report.md`];

/** Reasons and names quote foreign text, which must not end the comment. */
const oneLine = (text: string): string => text.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
