import { harmless } from '../../suites/read/problems.ts';
import type { LocalVerdict, Tried } from '../../suites/tryLocally.ts';
import { counted } from './told.ts';

const SHOWN_MAX = 100;
const REASON_LENGTH_MAX = 400;

/** What came of it, for people. */
export function triedText(slug: string, tried: Exclude<Tried, { outcome: 'refused' }>): string {
  const { not_judged: notJudged } = tried.outcome === 'verdict' ? tried.verdict : tried;
  const lines = [
    `${slug}  tried on this machine: nothing was sent or counted`,
    ...(tried.outcome === 'verdict' ? verdictLines(tried.verdict) : []),
    ...shortened(notJudged.map(({ key }) => `  - ${key}  not judged here: a model judges it`)),
    tried.outcome === 'verdict' ? headline(tried.verdict) : 'no verdict: models judge all cases that decide',
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines({ scores, surplus, surplus_outputs, passed_cases }: LocalVerdict): string[] {
  const open = scores.filter(({ passed }) => !passed);
  return [
    ...shortened(open.map(scoreLine)),
    `  ✓ ${counted(passed_cases, 'case')} passed`,
    ...(surplus_outputs === 0
      ? []
      : [`  ${counted(surplus_outputs, 'output')} for no active case: ${surplus.map(harmless).join(', ')}`]),
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
  const figures = missing ? '' : `${score.toFixed(2)} of ${threshold.toFixed(2)}  `;
  return `  ${sign} ${key}  ${advisory ? 'advisory: ' : ''}${figures}${harmless(reason).slice(0, REASON_LENGTH_MAX)}`;
}

const shortened = (lines: readonly string[]): string[] =>
  lines.length <= SHOWN_MAX
    ? [...lines]
    : [...lines.slice(0, SHOWN_MAX), `  and ${lines.length - SHOWN_MAX} more`];

function headline({ status, inconclusive, pass_rate, pass_threshold, verdict }: LocalVerdict): string {
  const rate = `pass rate ${percent(pass_rate)}, needed ${percent(pass_threshold ?? 0)}`;
  const by =
    verdict === null || verdict.decided_by.length === 0 ? '' : ` by ${verdict.decided_by.join(', ')}`;
  return `${status}${inconclusive ? ' (inconclusive)' : ''}${by}: ${rate}`;
}

/** Rounded down, so that nothing below the bar looks like the bar. */
const percent = (share: number): string => `${(Math.floor(Math.round(share * 1e9) / 1e6) / 10).toFixed(1)} %`;
