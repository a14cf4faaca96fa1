import { terminalLine } from '../../report/escape.ts';
import { comparedScores, comparedShares, counted } from '../../report/numbers.ts';
import { shortened } from '../../report/results.ts';
import type { LocalVerdict, Tried } from '../../suites/tryLocally.ts';

const SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 400;

/** What came of it, for people. */
export function triedText(slug: string, tried: Exclude<Tried, { outcome: 'refused' }>): string {
  const { not_judged: notJudged } = tried.outcome === 'verdict' ? tried.verdict : tried;
  const lines = [
    `${slug}  tried on this machine: nothing was sent or counted`,
    ...(tried.outcome === 'verdict' ? verdictLines(tried.verdict) : []),
    ...firstOf(notJudged.map(({ key }) => `  - ${key}  not judged here: a model judges it`)),
    tried.outcome === 'verdict' ? headline(tried.verdict) : 'no verdict: models judge all cases that decide',
  ];
  return `${lines.map(terminalLine).join('\n')}\n`;
}

function verdictLines({ scores, surplus, surplus_outputs, passed_cases }: LocalVerdict): string[] {
  const open = scores.filter(({ passed }) => !passed);
  return [
    ...firstOf(open.map(scoreLine)),
    `  ✓ ${counted(passed_cases, 'case')} passed`,
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

function headline({ status, inconclusive, pass_rate, pass_threshold, verdict }: LocalVerdict): string {
  const decidedBy = verdict?.decided_by ?? [];
  const by = decidedBy.length === 0 ? '' : ` by ${decidedBy.join(', ')}`;
  const rate = `pass rate ${comparedShares(pass_rate, pass_threshold ?? 0)}`;
  return `${status}${inconclusive ? ' (inconclusive)' : ''}${by}: ${rate}`;
}
