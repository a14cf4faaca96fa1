import { exitCodeOf } from '../../gate/problems/exitCodes.ts';
import { readReport } from '../../gate/readReport.ts';
import { safeJson } from '../../gate/report/escape.ts';
import { runPage } from '../../gate/report/pages.ts';
import { waiverOf } from '../../gate/report/review/waiver.ts';
import type { Evalgate, Outcome } from '../../sdk/index.ts';
import type { Context } from '../context.ts';
import { nowMs } from '../io.ts';
import { placesOf } from './places.ts';
import { deliver, needsEveryResult, needsPlaces, type Target } from './reports.ts';

const DETAILS_MS = 120_000;

/** Reports how a run ended; gives its exit code. */
export async function printVerdict(
  context: Context,
  gate: Evalgate,
  outcome: Outcome,
  { targets, waivers }: { readonly targets: readonly Target[]; readonly waivers: boolean },
): Promise<number> {
  const { io, terminal, globals, facts } = context;
  const { report, run, unread } = await readReport(gate, outcome, {
    needsAll: needsEveryResult(targets),
    nowMs: nowMs(io),
    signal: io.signal,
    deadlineMs: DETAILS_MS,
  });
  if (unread !== undefined) {
    if (io.signal.aborted) throw unread;
    const isMore = outcome.failures_complete ? '' : ' Not all failures are shown.';
    terminal.warn(`the details of the run could not be read: ${unread.message}${isMore}`);
  }
  if (globals.json) terminal.data(`${safeJson(run ?? report.run, 2)}\n`);
  const places = needsPlaces(targets) ? await placesOf(io, report.run) : undefined;
  const page = facts.url === undefined ? undefined : runPage(facts.url, outcome.id);
  const exitCode = await deliver(context, { ...report, page, places }, targets, exitCodeOf(outcome, waivers));
  if (!waivers && waiverOf(outcome) !== undefined) terminal.say('--no-waivers: the waiver does not count.');
  if (outcome.status === 'pending') {
    terminal.warn(`the wait is over, and the run goes on: evalgate wait ${outcome.id}`);
  }
  return exitCode;
}
