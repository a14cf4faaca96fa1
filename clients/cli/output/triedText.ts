import type { LocalVerdict, NotJudged, Tried } from '../../files/trial/tryLocally.ts';
import { terminalLine } from '../../gate/report/escape.ts';
import { comparedScores, comparedShares, counted } from '../../gate/report/numbers.ts';
import { shortened } from '../../gate/report/results.ts';

const SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 400;

/** What came of it, for people. */
export function triedText(slug: string, tried: Exclude<Tried, { outcome: 'refused' }>): string {
  const answer = tried.outcome === 'verdict' ? tried.verdict : tried;
  const notJudged = tried.outcome === 'verdict' ? [] : tried.not_judged;
  const lines = [
    `${slug}  tried on this machine: nothing was sent or counted`,
    ...scoreLines(answer),
    ...firstOf(
      notJudged.map(
        ({ key, advisory }) =>
          `  - ${key}  ${advisory ? 'advisory: ' : ''}not judged here: a model judges it`,
      ),
    ),
    ...(tried.outcome === 'verdict' ? notCompared(tried.verdict) : []),
    tried.outcome === 'verdict' ? headline(tried.verdict) : noVerdict(tried),
  ];
  return `${lines.map(terminalLine).join('\n')}\n`;
}

const noVerdict = ({ not_judged: { length } }: NotJudged): string =>
  `no verdict: ${counted(length, 'case')} ${length === 1 ? 'was' : 'were'} not judged here, and evalgate run has models judge ${length === 1 ? 'it' : 'them'}`;

function scoreLines({
  scores,
  surplus,
  surplus_outputs,
}: Pick<LocalVerdict, 'scores' | 'surplus' | 'surplus_outputs'>): string[] {
  const open = scores.filter(({ passed }) => !passed);
  const passed = scores.filter(({ passed, advisory }) => passed && !advisory).length;
  return [
    ...firstOf(open.map(scoreLine)),
    `  ✓ ${counted(passed, 'case')} passed`,
    ...(surplus_outputs === 0
      ? []
      : [`  ${counted(surplus_outputs, 'output')} for no active case: ${surplus.join(', ')}`]),
  ];
}

function scoreLine({
  key,
  score,
  threshold,
  reason,
  missing,
  advisory,
}: LocalVerdict['scores'][number]): string {
  const sign = advisory ? '~' : missing ? '–' : '✗';
  const figures = missing ? '' : `${comparedScores(score, threshold)}  `;
  return `  ${sign} ${key}  ${advisory ? 'advisory: ' : ''}${figures}${shortened(reason, REASON_LENGTH_MAX)}`;
}

const firstOf = (lines: readonly string[]): string[] =>
  lines.length <= SHOWN_MAX
    ? [...lines]
    : [...lines.slice(0, SHOWN_MAX), `  and ${lines.length - SHOWN_MAX} more`];

/** Only the service has baselines. */
const notCompared = ({ verdict }: LocalVerdict): string[] =>
  (verdict?.gates ?? [])
    .filter(({ observed }) => observed === null)
    .map(({ gate }) => `  - ${gate}  not compared here: evalgate run compares with the baseline`);

function headline({ status, inconclusive, pass_rate, pass_threshold, verdict }: LocalVerdict): string {
  const decidedBy = verdict?.decided_by ?? [];
  const by = decidedBy.length === 0 ? '' : ` by ${decidedBy.join(', ')}`;
  const rate = `pass rate ${comparedShares(pass_rate, pass_threshold ?? 0)}`;
  return `${status}${inconclusive ? ' (inconclusive)' : ''}${by}: ${rate}`;
}
