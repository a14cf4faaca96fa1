import { casePlaces } from '../../files/resolve/casePlaces.ts';
import { readReport } from '../../gate/readReport.ts';
import { annotations } from '../../gate/report/annotations.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { jsonReport } from '../../gate/report/formats/json.ts';
import { junitReport } from '../../gate/report/formats/junit.ts';
import { runPage } from '../../gate/report/pages.ts';
import { textReport } from '../../gate/report/text.ts';
import type { Report } from '../../gate/report/types.ts';
import type { Job } from '../job/event.ts';
import type { Inputs } from '../job/inputs.ts';
import type { Runner } from '../job/runner.ts';
import { writeNamedFile } from '../job/writeNamedFile.ts';
import type { Known } from '../known.ts';
import type { Ending } from '../outcome.ts';
import { attempted } from './attempted.ts';
import { compareWithBase } from './baseRun.ts';
import { COMMENT_CHARACTERS_MAX } from './comment.ts';
import { commentOn } from './commentOn.ts';
import { withinReportingTime } from './deadline.ts';
import { runMarkdown } from './markdown.ts';
import { reliabilityOf } from './reliability.ts';
import { isKeysOnly, type View, withoutReasons } from './view.ts';

export interface Finished extends Pick<Known, 'gate' | 'claims'> {
  readonly ending: Ending;
  readonly inputs: Inputs;
  readonly job: Job;
}

/** The service's details come at once, or the rest of the report has no time left. */
const DETAILS_MS = 20_000;
const SUMMARY_BYTES_MAX = 900_000;
const NEWLY_FAILING_MAX = 50;

/** Reports the verdict in outputs, log, summary and comment. A failure here does not change it. */
export const report = (runner: Runner, finished: Finished): Promise<void> =>
  withinReportingTime(runner, (signal) => publish(runner, finished, signal));

async function publish(runner: Runner, finished: Finished, signal: AbortSignal): Promise<void> {
  const { ending, inputs, job, gate } = finished;
  const { outcome } = ending;
  const reliability = outcome && gate && reliabilityOf(gate.client, outcome, signal);
  const read = await readFinished(runner, finished, signal);
  if (read?.run.comparison)
    runner.setOutput('newly-failing', safeJson(newlyFailing(read).slice(0, NEWLY_FAILING_MAX)));
  const page = gate && ending.runId ? runPage(gate.settings.url, ending.runId) : undefined;
  const full = read && { ...read, page, places: placesOf(runner, finished) };
  const hidesReasons = isKeysOnly(inputs, job);
  const view: View = {
    job,
    suite: inputs.text('suite'),
    ending,
    page,
    report: full && hidesReasons ? withoutReasons(full) : full,
    isKeysOnly: hidesReasons,
  };
  const write = (what: string, act: () => void | Promise<void>) => attempted(runner, what, act);
  await write('The log', () => log(runner, view, inputs));
  await write('The summary', async () => {
    const bytesMax = Math.min(SUMMARY_BYTES_MAX, runner.summaryBytesLeft());
    const fits = (text: string) => Buffer.byteLength(text) <= bytesMax;
    const markdown = runMarkdown(view, fits);
    const line = await reliability;
    const whole = `${markdown}\n${line}\n`;
    runner.appendSummary(line !== undefined && fits(whole) ? whole : markdown);
  });
  if (full !== undefined) {
    await write('The file report-file', () =>
      writeNamedFile(runner, inputs, 'report-file', jsonReport(full)),
    );
    await write('The file junit-file', () => writeNamedFile(runner, inputs, 'junit-file', junitReport(full)));
  }
  // A job of a fork without a key may not comment.
  if (ending.verdict === 'skipped') return;
  await write('The comment', () =>
    commentOn(runner, {
      inputs,
      job,
      signal,
      claims: finished.claims,
      mayCreate: inputs.comment === 'always' || ending.verdict !== 'cleared',
      markdown: runMarkdown(view, ({ length }) => length <= COMMENT_CHARACTERS_MAX),
    }),
  );
}

/** Compared with the baseline, else with the base branch. Undefined where there is no verdict. */
async function readFinished(
  { environment }: Runner,
  { ending: { outcome }, inputs, job, gate }: Finished,
  signal: AbortSignal,
): Promise<Report | undefined> {
  if (outcome === undefined || gate === undefined) return undefined;
  const { client, settings } = gate;
  const slug = inputs.text('suite');
  const { report } = await readReport(client, outcome, {
    suite: { slug, name: slug, project_slug: settings.project },
    needsAll: true,
    nowMs: environment.now(),
    signal,
    deadlineMs: DETAILS_MS,
  });
  const judged = { ...report.run, results: report.results };
  if (report.areHidden) return report;
  return {
    ...report,
    comparison: report.comparison ?? (await compareWithBase(client, judged, { job, signal })),
  };
}

/** The keys of more cases than the run itself names, the gravest first. */
function newlyFailing({ results, comparison, run }: Report): readonly string[] {
  const keys = new Map(results.map(({ case_id, key }) => [case_id, key]));
  const changed = [...(comparison?.changes ?? [])].filter(([, change]) => change === 'newly failing');
  const named = run.comparison?.newly_failing ?? [];
  return changed.length < named.length ? named : changed.map(([id]) => keys.get(id) ?? id);
}

/** Where the cases stand in the workspace's files, which are the repository's own. */
function placesOf(runner: Runner, { inputs, job, gate }: Finished): Report['places'] {
  if (gate === undefined || !job.hasOwnFiles) return undefined;
  const workspace = runner.inWorkspace('.');
  const config = runner.inWorkspace(inputs.text('config'));
  return casePlaces(config, workspace, { suite: inputs.text('suite'), project: gate.settings.project });
}

function log(runner: Runner, { report: shown, ending, suite }: View, { hasAnnotations }: Inputs): void {
  if (shown !== undefined) {
    runner.print(textReport(shown));
    if (hasAnnotations) runner.write(annotations(shown));
    return;
  }
  const level = ending.isFailure ? 'error' : 'warning';
  const title = `evalgate: ${suite}`;
  runner.annotate(ending.exitCode === 0 ? 'notice' : level, title, ending.message ?? '');
}
