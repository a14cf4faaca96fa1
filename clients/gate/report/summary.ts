import { GATE_WORDS } from '../../sdk/generated/gateWords.ts';
import { comparedShares, counted, share, shortNumber } from './numbers.ts';
import { abortingCases, clearingCases } from './review/flips.ts';
import { uncomparedOf } from './review/uncompared.ts';
import { waiverOf, waiverWords } from './review/waiver.ts';
import { type Report, type ReportedRun, type RunState, stateOf } from './types.ts';
import { joined, plain, say, type Words } from './words.ts';

type Gate = NonNullable<ReportedRun['verdict']>['gates'][number];

/** The report of a run, in the order in which it is printed. */
export interface Summary {
  readonly state: RunState;
  /** What decided. */
  readonly headline: Words;
  /**
   * The waiver in force; whether it got worse; the gates that keep the run from being cleared; what would flip it;
   * missing, advisory and surplus.
   */
  readonly facts: readonly Words[];
  readonly notices: readonly Words[];
}

const NAMED_MAX = 10;
const NO_BASELINE = 'nothing to compare with';

export function summaryOf(report: Report): Summary {
  const { run } = report;
  const state = stateOf(run);
  const waiver = waiverOf(run);
  const decided = (run.verdict?.gates ?? []).filter(({ status }) => status !== 'passed');
  return {
    state,
    headline: headlineOf(run, state),
    facts: [
      ...(waiver === undefined ? [] : [waiverWords(waiver)]),
      ...(report.comparison?.sentences ?? []),
      ...(state === 'cleared' ? [] : decided.map((gate) => gateLine(gate, report))),
      ...flipsOf(report),
      ...asidesOf(run),
      ...(report.areHidden ? [plain(hiddenSentence(run))] : []),
    ],
    notices: (run.notices ?? []).map(({ message }) => say`${message}`),
  };
}

/** In place of results. */
export const hiddenSentence = ({ failed_cases, total_cases }: ReportedRun): string =>
  `${failed_cases} of ${counted(total_cases, 'case')} failed. Results of this suite are hidden from this credential.`;

/** Where weights change the figure, the cases are counted beside it. Undefined where they do not. */
function weightedWords(passed: number, total: number, rate: number): readonly [string, string] | undefined {
  const isWeighted = total > 0 && share(passed / total) !== share(rate);
  return isWeighted ? [`${passed} of ${counted(total, 'case')},`, ' by weight'] : undefined;
}

function rateOf({ pass_rate, pass_threshold, passed_cases, total_cases }: ReportedRun): string {
  const [what, unit] = weightedWords(passed_cases, total_cases, pass_rate) ?? ['pass rate', ''];
  return pass_threshold === null || pass_threshold === undefined
    ? `${what} ${share(pass_rate)}${unit}`
    : `${what} ${comparedShares(pass_rate, pass_threshold, unit)}`;
}

const gateNames = (gates: readonly string[]): Words =>
  joined(
    gates.map((gate) => say`${gate}`),
    ', ',
  );

/** The figure that the verdict is about, or what keeps the run from one. */
export function figureOf(run: ReportedRun, state: RunState): Words {
  if (state === 'pending') return plain('there is no verdict yet');
  if (state === 'unknown') return say`${String(run.status)}: a status that this version does not know`;
  if (state !== 'inconclusive') return plain(rateOf(run));
  return plain(run.verdict?.decided_by.length ? lackOf(run) : 'the run could not be evaluated');
}

/** What decided. */
function headlineOf(run: ReportedRun, state: RunState): Words {
  const by = run.verdict?.decided_by ?? [];
  const figure = figureOf(run, state);
  if (state === 'unknown') return figure;
  if (state === 'cleared') return joined([plain(`cleared${worseOf(run)}`), figure], ': ');
  if (by.length === 0 || state === 'pending') return joined([plain(state), figure], ': ');
  const decided = joined([plain(`${state} by `), gateNames(by)], '');
  return state === 'inconclusive'
    ? joined([decided, figure], ': ')
    : joined([decided, plain(' ('), figure, plain(')')], '');
}

/** What no gate holds up is not hidden behind the verdict. */
function worseOf({ comparison }: ReportedRun): string {
  const count = comparison?.newly_failing_count ?? 0;
  return count === 0 ? '' : `, but ${counted(count, 'case')} newly failing`;
}

function lackOf({ errored_cases: errored, verdict }: ReportedRun): string {
  if (errored > 0) return `${counted(errored, 'case')} could not be judged`;
  const isAlone = verdict?.gates.some(({ observed }) => observed === null);
  return isAlone ? NO_BASELINE : 'too little evidence';
}

function gateLine(gate: Gate, report: Report): Words {
  const doubt =
    gate.status === 'inconclusive' ? say` (inconclusive: ${gate.reason ?? 'no reason given'})` : plain('');
  return joined([say`${gate.gate}: `, gateFigures(gate, report), doubt], '');
}

/** What a gate saw, and what it wants. */
export function gateFigures(gate: Gate, report: Report): Words {
  const { observed, required, cases = [] } = gate;
  if (observed === null) return plain(NO_BASELINE);
  switch (gate.gate) {
    case 'min_judged_cases':
      return plain(`cases with a verdict: ${observed}, at least ${required} required`);
    case 'must_pass':
      return observed === 0
        ? plain('all cases that must pass did')
        : counting(`${counted(observed, 'case')} that must pass did not`, cases, observed);
    case 'max_newly_failing':
      return counting(
        `${counted(observed, 'case')} ${['newly failing', uncomparedOf(report)?.what].filter(Boolean).join(' or ')}, ${required} allowed`,
        cases,
        observed,
      );
    case 'regression':
      return plain(
        `p = ${shortNumber(observed)} that chance alone makes it so much worse; ${required} or less fails`,
      );
    default:
      return countedWords(gate, observed) ?? plain(ratesOf({ ...gate, observed }, report));
  }
}

/** Of any other gate that counts. */
function countedWords({ gate, required, cases = [] }: Gate, observed: number): Words | undefined {
  const { label, bound } = GATE_WORDS[gate] ?? {};
  if (bound === undefined) return undefined;
  const words = `${label}: ${observed}, ${required} ${bound === 'least' ? 'needed' : 'allowed'}`;
  return counting(words, cases, observed);
}

function counting(what: string, cases: readonly string[], total: number): Words {
  return cases.length === 0 ? plain(what) : joined([plain(what), listed(cases, total)], ': ');
}

/** Of a tag with its cases, if all are known. */
function ratesOf(
  { gate, observed, required }: Gate & { readonly observed: number },
  { results, isComplete }: Report,
): string {
  const tag = isComplete && gate.startsWith('tag:') ? gate.slice('tag:'.length) : undefined;
  const tagged = results.filter(
    ({ advisory, tags = [] }) => !advisory && tag !== undefined && tags.includes(tag),
  );
  const passed = tagged.filter((result) => result.passed).length;
  const [what, unit] = weightedWords(passed, tagged.length, observed) ?? [];
  return what === undefined
    ? comparedShares(observed, required)
    : `${what} ${comparedShares(observed, required, unit)}`;
}

/** Some names, and how many more there are. */
function listed(names: readonly string[], total = names.length): Words {
  const shown = names.slice(0, NAMED_MAX);
  const more = total > shown.length ? [plain(`${total - shown.length} more`)] : [];
  return joined([...shown.map((name) => say`${name}`), ...more], ', ');
}

/** More than these are a distance, not a list of work. */
const FLIPS_NAMED_MAX = 5;

/** How far the pass rate is from its bar, never rounded to nothing; undefined where it reaches it. */
function lackingRate({ gates }: Pick<NonNullable<ReportedRun['verdict']>, 'gates'>): Words | undefined {
  const { observed = null, required = 0 } = gates.find(({ gate }) => gate === 'pass_rate') ?? {};
  if (observed === null || observed >= required) return undefined;
  const tenths = Math.ceil((required - observed) * 1_000 - 1e-6);
  return plain(`the pass rate lacks ${(Math.max(1, tenths) / 10).toFixed(1)} points`);
}

/** What would have the run end otherwise: a few cases by name, or how much is missing. */
export function flipsOf(report: Report): Words[] {
  const { verdict } = report.run;
  if (!verdict?.flips) return [];
  const { cases, exact, to } = verdict.flips;
  const isFar = cases > FLIPS_NAMED_MAX;
  const lacking = isFar && to === 'cleared' ? lackingRate(verdict) : undefined;
  if (lacking) return [lacking];
  const verb = `${to === 'cleared' ? 'pass' : 'fail'}${cases > 1 ? '' : to === 'cleared' ? 'es' : 's'}`;
  const amount = `${exact ? '' : 'at most '}${cases} more ${cases === 1 ? 'case' : 'cases'}`;
  const sentence = plain(`${amount} that ${verb} would have it ${to}`);
  const names = to === 'cleared' ? clearingCases(report) : abortingCases(report);
  if (isFar || names.length === 0) return [sentence];
  return [joined([sentence, listed(names, cases)], ', such as ')];
}

/** Who has to do something before there is a verdict. */
const BLAMED = {
  candidate: 'not excusable: outputs of the candidate are missing or could not be judged',
  bar: 'not excusable: the suite, its baseline, its scorers or their keys keep outputs from a verdict',
  service: 'the service or the provider of a model kept outputs from being judged: run the gate again',
} as const;

/** Of a run that has no gates: their results without the service's fault are not known. */
const UNKNOWN =
  'not excusable: the verdict of the suite is not known: run the gate again, or see the errors of its results';

/** Who has to act, and what is missing, advisory and surplus. */
export function asidesOf(run: ReportedRun): Words[] {
  const { fault, verdict, missing_cases, advisory_cases, advisory_failed_cases, surplus_outputs, surplus } =
    run;
  const asides: Words[] = [];
  if (fault) asides.push(plain(fault === 'bar' && verdict === null ? UNKNOWN : BLAMED[fault]));
  if (missing_cases > 0)
    asides.push(
      plain(`missing: ${counted(missing_cases, 'case')} had no output, or none with its trace, and failed`),
    );
  if (advisory_cases > 0) {
    asides.push(
      plain(
        `advisory: ${advisory_failed_cases} of ${counted(advisory_cases, 'case')} failed; they don't count`,
      ),
    );
  }
  if (surplus_outputs > 0) {
    const were = plain(`surplus: ${counted(surplus_outputs, 'output')} of unknown or inactive cases`);
    asides.push(surplus.length === 0 ? were : joined([were, listed(surplus, surplus_outputs)], ': '));
  }
  return asides;
}
