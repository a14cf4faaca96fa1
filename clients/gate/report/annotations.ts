import { commandMessage, commandProperty } from './escape.ts';
import { counted } from './numbers.ts';
import { explanation, labelOf, type ResultState, resultState, shortened } from './results.ts';
import { sectionsOf } from './review/sections.ts';
import { waiverOf } from './review/waiver.ts';
import { summaryOf } from './summary.ts';
import { type CasePlace, type Report, type ReportedResult, stateOf } from './types.ts';
import { plain, written } from './words.ts';

type Level = 'error' | 'warning' | 'notice';

/** GitHub shows ten of a level and step. */
const SHOWN_MAX = 9;
const MESSAGE_MAX = 1_000;

const LEVELS: Readonly<Record<Exclude<ResultState, 'passed'>, Level>> = {
  failed: 'error',
  missing: 'error',
  errored: 'warning',
  advisory: 'notice',
};

function command(level: Level, title: string, message: string, place?: CasePlace): string {
  const location = place === undefined ? '' : `,file=${commandProperty(place.file)},line=${place.line}`;
  return `::${level} title=${commandProperty(title)}${location}::${commandMessage(shortened(message, MESSAGE_MAX))}`;
}

/** Workflow commands of GitHub Actions, one a line: the verdict, then what did not pass. */
export function annotations(report: Report): string {
  const { run, places, areHidden } = report;
  const summary = summaryOf(report);
  const open = sectionsOf(report)
    .flatMap((section) => section.results)
    .filter(({ passed }) => !passed);
  const shown = open.slice(0, SHOWN_MAX);
  const hidden = Math.max(open.length, run.failed_cases + (run.advisory_failed_cases ?? 0)) - shown.length;
  const more =
    hidden > 0 && !areHidden
      ? [plain(`${counted(hidden, 'case')} more did not pass than are annotated`)]
      : [];
  const { headline, facts, notices } = summary;
  const lines = [headline, ...more, ...facts, ...notices];
  const message = lines.map((words) => written(words, (text) => text)).join('\n');
  const isAborted = summary.state === 'aborted' && waiverOf(run) === undefined;
  const level = isAborted ? 'error' : summary.state === 'cleared' ? 'notice' : 'warning';
  const title = `evalgate: ${run.suite?.slug ?? run.id}`;
  const commands = shown.map((result) =>
    resultCommand(result, stateOf(run) === 'cleared', places?.get(result.key)),
  );
  return `${[command(level, title, message), ...commands].join('\n')}\n`;
}

/** In a cleared run a failed case holds nothing up. */
function resultCommand(result: ReportedResult, isCleared: boolean, place?: CasePlace): string {
  const level = LEVELS[resultState(result) as keyof typeof LEVELS];
  const shown = isCleared && level === 'error' ? 'warning' : level;
  return command(shown, labelOf(result), explanation(result), place);
}

/** What the job's next steps can read, in the form of the file `GITHUB_OUTPUT`. The delimiter must be random. */
export function stepOutputs({ run, page }: Report, delimiter: string): string {
  const outputs: Readonly<Record<string, string>> = {
    'run-id': run.id,
    ...(page && { 'run-url': page }),
    status: run.status,
    state: stateOf(run),
    ...(run.fault && { fault: run.fault }),
    'pass-rate': String(run.pass_rate),
    'decided-by': (run.verdict?.decided_by ?? []).join(' '),
    waived: String(waiverOf(run) !== undefined),
  };
  return Object.entries(outputs)
    .map(([name, value]) => {
      if (value.includes(delimiter)) throw new Error('An output contains the delimiter.');
      return `${name}<<${delimiter}\n${value}\n${delimiter}\n`;
    })
    .join('');
}
