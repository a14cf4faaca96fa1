import { EXIT } from '../../../gate/problems/exitCodes.ts';
import { terminalLine } from '../../../gate/report/escape.ts';
import { share, shortNumber } from '../../../gate/report/numbers.ts';
import { oneLine, shortened } from '../../../gate/report/results.ts';
import { type Compared, comparedWords } from '../../../gate/report/review/baseline.ts';
import { written } from '../../../gate/report/words.ts';
import { connect, type Handler } from '../../context.ts';
import { nameOf } from '../../input/options.ts';
import { nowMs } from '../../io.ts';
import { fields, printOne } from '../../output/print.ts';

/** What got worse or better in a run since its baseline, or since another run. */
export const compare: Handler<{ readonly baseline?: string }> = async (context, [run = ''], { baseline }) => {
  const id = nameOf('id of a run', run);
  const query = baseline === undefined ? {} : { baseline: nameOf('id of a run', baseline) };
  const compared = await connect(context).gate.comparisons.get(id, query);
  printOne(context, compared, () => textOf(compared, nowMs(context.io)).join('\n'));
  return EXIT.done;
};

/** The gravest first. */
const LISTS = {
  newly_failing: 'newly failing',
  newly_passing: 'newly passing',
  unstable: 'unstable: the same output, judged otherwise',
  changed: 'changed, and not compared',
  added: 'added since',
  missing: 'in the baseline only',
  unjudged: 'could not be judged in one of the runs',
} as const;

function textOf(compared: Compared, now: number): string[] {
  const names = Object.keys(LISTS) as (keyof typeof LISTS)[];
  return [
    ...comparedWords(compared, now).map((words) => written(words, terminalLine)),
    ...(compared.counts.compared === 0 ? [] : rateLines(compared)),
    ...names.flatMap((name) => listLines(LISTS[name], compared.cases[name], compared.counts[name])),
  ];
}

/** With one digit, as pass rates, unless nothing would be left of it. */
function points(value: number): string {
  const size = Math.abs(value * 100);
  const digits = size >= 0.05 || size === 0 ? size.toFixed(1) : String(shortNumber(size));
  return `${value < 0 ? '−' : '+'}${digits}`;
}

function rateLines({ pass_rate, detectable_drop }: Compared): string[] {
  const { baseline, run, difference, lower, upper, confidence } = pass_rate;
  const sure = `${shortNumber(confidence * 100)} % sure: ${points(lower)} to ${points(upper)}`;
  return [
    `pass rate ${share(baseline)} → ${share(run)}: ${points(difference)} points (${sure})`,
    `such a comparison sees a drop of ${shortNumber(detectable_drop * 100)} points four times in five`,
  ];
}

type Listed = Compared['cases'][keyof typeof LISTS][number];

const REASON_MAX = 400;

function listLines(title: string, cases: readonly Listed[], count: number): string[] {
  if (count === 0) return [];
  const more = count - cases.length;
  return [`${title}: ${count}`, ...cases.map(caseLine), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** What one of the runs does not have is a dash. */
function caseLine(shown: Listed): string {
  const { key, must_pass, ...more } = shown;
  const { baseline_score, score, reason = '', why } = more as Partial<Compared['cases']['changed'][number]>;
  const scores = [baseline_score, score].map((value) => value?.toFixed(2) ?? '–').join(' → ');
  const texts = [why ?? '', shortened(oneLine(reason), REASON_MAX)].filter((text) => text !== '');
  return `  ${fields(must_pass ? `${key} (must pass)` : key, scores, ...texts)}`;
}
