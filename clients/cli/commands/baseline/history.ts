import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../../gate/report/escape.ts';
import { authorWords, changeLines, differenceLines } from '../../../gate/report/history.ts';
import { counted, share } from '../../../gate/report/numbers.ts';
import { reliabilityWords } from '../../../gate/report/reliability.ts';
import { written } from '../../../gate/report/words.ts';
import { type ChangeEntry, CredentialError, type Evalgate, type JudgedBar } from '../../../sdk/index.ts';
import { type Context, connect, type Handler } from '../../context.ts';
import { countOf } from '../../input/options.ts';
import { findSuite } from '../../output/findSuite.ts';
import { fields, printOne } from '../../output/print.ts';
import { Problem } from '../../problem.ts';

const LIMIT_MAX = 1_000;
const PAGE_MAX = 100;

/** What judged a suite's runs, and who changed it; or how it differs now from one of these bars. */
export const history: Handler<{ readonly diff?: string; readonly limit: string }> = async (
  context,
  [suite = ''],
  { diff, limit },
) => {
  const max = countOf('--limit', limit, LIMIT_MAX);
  const digest = diff === undefined ? undefined : digestOf(diff);
  const connected = connect(context);
  const { id } = await findSuite(connected, suite);
  if (digest !== undefined) return printDifference(context, connected.gate, id, digest);
  const query = { pageSize: Math.min(max, PAGE_MAX) };
  const revisions = await firstOf(connected.gate.history.revisions(id, query), max);
  const changes = await firstOf(connected.gate.history.suiteChanges(id, query), max).catch(unlessDenied);
  printOne(context, { revisions, changes }, () => textOf(revisions, changes));
  if (changes === null)
    context.terminal.say('Who changed the suite is shown to API keys of scope full only.');
  return EXIT.done;
};

const DIGEST = /^(sha256:)?([0-9a-f]{64})$/;

function digestOf(text: string): string {
  const [, , digits] = DIGEST.exec(text) ?? [];
  if (digits === undefined)
    throw new Problem(`--diff ${text} is no digest.`, 'Which there are: evalgate history <suite>');
  return `sha256:${digits}`;
}

async function firstOf<T>(list: AsyncIterable<T>, max: number): Promise<T[]> {
  const entries: T[] = [];
  for await (const one of list) if (entries.push(one) === max) break;
  return entries;
}

const unlessDenied = (error: unknown): null => {
  if (error instanceof CredentialError && error.code === 'SCOPE_REQUIRED') return null;
  throw error;
};

async function printDifference(
  context: Context,
  gate: Evalgate,
  id: string,
  digest: string,
): Promise<number> {
  const difference = await gate.history.diff(id, digest);
  const lines = differenceLines(difference).map((line) => written(line, terminalLine));
  printOne(context, difference, () => (lines.length === 0 ? 'No differences.' : lines.join('\n')));
  return EXIT.done;
}

function barLines(bar: JudgedBar): string[] {
  const { digest, first_run_id, first_run_at, case_count, pass_threshold, reliability } = bar;
  const line = fields(
    digest,
    first_run_at,
    first_run_id,
    counted(case_count, 'case'),
    `pass rate ≥ ${share(pass_threshold)}`,
  );
  return reliability === null ? [line] : [line, `  ${reliabilityWords(reliability)}`];
}

function textOf(revisions: readonly JudgedBar[], changes: readonly ChangeEntry[] | null): string {
  const bars = revisions.length === 0 ? ['No run was judged yet.'] : revisions.flatMap(barLines);
  const entries = (changes ?? []).flatMap((entry) => [
    fields(entry.at, entry.action, written(authorWords(entry), terminalLine)),
    ...changeLines(entry).map((line) => `  ${written(line, terminalLine)}`),
  ]);
  return [...bars, ...(entries.length > 0 ? ['', ...entries] : [])].join('\n');
}
