import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT } from '../../gate/problems/exitCodes.ts';
import { annotations, stepOutputs } from '../../gate/report/annotations.ts';
import { ctrfReport } from '../../gate/report/formats/ctrf.ts';
import { jsonlReport, jsonReport } from '../../gate/report/formats/json.ts';
import { junitReport } from '../../gate/report/formats/junit.ts';
import { otelReport } from '../../gate/report/formats/otel.ts';
import { markdownReport } from '../../gate/report/markdown.ts';
import { textReport } from '../../gate/report/text.ts';
import type { Report } from '../../gate/report/types.ts';
import type { Context } from '../context.ts';
import { type Io, isInActions, variable } from '../io.ts';
import { Problem, systemReason } from '../problem.ts';

const FORMATS = {
  text: (report: Report) => textReport(report),
  json: jsonReport,
  jsonl: jsonlReport,
  junit: junitReport,
  ctrf: ctrfReport,
  otel: otelReport,
  markdown: (report: Report, passes: boolean) => markdownReport(report, passes),
  github: annotations,
} as const;

type Format = keyof typeof FORMATS;

/** Without a file it goes to stdout. */
export interface Target {
  readonly format: Format;
  readonly file?: string | undefined;
}

/** `--report <format>[=<file>]`, as often as needed. Inside GitHub Actions `github` comes by itself. */
export function reportTargets(io: Io, given: readonly string[]): Target[] {
  const targets = given.map((text): Target => {
    const [format = '', ...rest] = text.split('=');
    if (!Object.hasOwn(FORMATS, format) || (rest.length > 0 && rest.join('=') === '')) {
      const names = Object.keys(FORMATS).join(', ');
      throw new Problem(
        `--report ${text} is no report.`,
        `Such as --report junit=report.xml. Formats: ${names}`,
      );
    }
    return { format: format as Format, ...(rest.length > 0 && { file: rest.join('=') }) };
  });
  const files = targets.flatMap(({ file }) => (file === undefined ? [] : [path.resolve(io.cwd, file)]));
  const twice = files.find((file, index) => files.indexOf(file) < index);
  if (twice !== undefined)
    throw new Problem(`Two reports would be written to ${twice}.`, 'Give each a file of its own.');
  const hasGithub = targets.some(({ format }) => format === 'github');
  return isInActions(io) && !hasGithub ? [...targets, { format: 'github' }] : targets;
}

/** Whether a report shows what passed, too. */
export const needsEveryResult = (targets: readonly Target[]): boolean =>
  targets.some(({ format }) => ['json', 'jsonl', 'junit', 'ctrf', 'otel'].includes(format));

/** Whether a report says where cases stand. */
export const needsPlaces = (targets: readonly Target[]): boolean =>
  targets.some(({ format }) => ['github', 'junit', 'ctrf'].includes(format));

/** Delivers the reports. One that fails never makes a verdict better: it only takes a success away. */
export async function deliver(
  context: Context,
  report: Report,
  targets: readonly Target[],
  exitCode: number,
): Promise<number> {
  const { terminal, globals } = context;
  const isDataTaken = globals.json || targets.some(({ format, file }) => !file && isData(format));
  if (!targets.some(({ format, file }) => format === 'text' && !file)) {
    if (!isDataTaken) printText(context, report);
    else terminal.say(textReport(report).trimEnd());
  }
  let isComplete = true;
  for (const target of targets) {
    try {
      await deliverOne(context, report, target, { isDataTaken, passes: exitCode === EXIT.done });
    } catch (error) {
      isComplete = false;
      terminal.warn(`the ${target.format} report could not be written: ${reasonOf(error, target)}`);
    }
  }
  return isComplete || exitCode !== EXIT.done ? exitCode : EXIT.callerMustChange;
}

function reasonOf(error: unknown, target: Target): string {
  const file = target.file ?? (error as NodeJS.ErrnoException).path;
  return `${systemReason(error)}${file === undefined ? '' : ` (${file})`}`;
}

const isData = (format: Format): boolean => format !== 'text' && format !== 'github';

async function deliverOne(
  context: Context,
  report: Report,
  { format, file }: Target,
  { isDataTaken, passes }: { readonly isDataTaken: boolean; readonly passes: boolean },
): Promise<void> {
  const { io, terminal } = context;
  if (file !== undefined) return writeReport(path.resolve(io.cwd, file), FORMATS[format](report, passes));
  if (format === 'text') return printText(context, report);
  if (format !== 'github') return terminal.data(FORMATS[format](report, passes));
  // The runner obeys both streams; a program that reads data gets data only.
  if (isDataTaken) io.stderr.write(annotations(report));
  else terminal.data(annotations(report));
  await deliverToGithub(io, report, passes);
}

async function writeReport(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function deliverToGithub(io: Io, report: Report, passes: boolean): Promise<void> {
  const [summary, outputs] = [variable(io, 'GITHUB_STEP_SUMMARY'), variable(io, 'GITHUB_OUTPUT')];
  if (summary) await appendFile(summary, `${markdownReport(report, passes)}\n`);
  if (outputs) await appendFile(outputs, stepOutputs(report, `evalgate-${crypto.randomUUID()}`));
}

/** A runner obeys commands in what it prints: what models wrote stands where it does not. */
function printText({ io, terminal }: Context, report: Report): void {
  const text = textReport(report, terminal.paintData);
  if (!isInActions(io)) {
    terminal.report(text);
    return;
  }
  const token = crypto.randomUUID();
  terminal.data(`::stop-commands::${token}\n`);
  terminal.report(text);
  terminal.data(`::${token}::\n`);
}
