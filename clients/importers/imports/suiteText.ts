import { yamlText } from '../../files/write/yamlText.ts';
import type { Imported } from './imported.ts';
import type { ImportReport } from './report.ts';

/** The comment that an import begins a suite with, wherever it stands now. Lines of somebody else's are no part of it. */
export const REPLACED_HEAD = /^# Imported from [^\n]*(?:\n# (?:Missing here, since | *- )[^\n]*)*/m;

/** What the suite is of, and what it lacks. */
export const headOf = (report: ImportReport): string[] =>
  [
    `Imported from ${report.source}: import-report.md lists each difference.`,
    ...missingLines(report),
    ...unreadLines(report),
  ].map(oneLine);

/** The file of a suite. What it lacks stands at its head. */
export const suiteText = ({
  suite: { slug, name },
  scorers,
  cases,
  report,
}: Pick<Imported, 'suite' | 'scorers' | 'cases' | 'report'>): string =>
  yamlText(
    {
      version: 1,
      suite: slug,
      ...(name === undefined ? {} : { name }),
      pass_threshold: 1,
      scorers: Object.fromEntries(scorers.map(({ key, ...scorer }) => [key, scorer])),
      cases,
    },
    headOf(report).join('\n '),
  );

const LINES_MAX = 100;

function missingLines({ missing, not_mapped, assertions, unit }: ImportReport): string[] {
  if (missing.length === 0) return [];
  const lines = missing.flatMap(({ reason, assertions: count, places }) => [
    `- ${reason}: ${count}`,
    ...places.map(({ file, line, type }) => `  - ${file}:${line} ${type}`.trimEnd()),
  ]);
  return [`Missing here, since not mapped: ${not_mapped} of ${assertions} ${unit}s:`, ...shortened(lines)];
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
