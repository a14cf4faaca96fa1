import type { Evalgate } from '../../../sdk/index.ts';
import { chances, counted, share, shortNumber } from '../numbers.ts';
import type { ReportedResult, ReportedRun } from '../types.ts';
import { joined, plain, say, type Words } from '../words.ts';
import type { Change, Comparison } from './changes.ts';

/** What the service says of a run and its baseline, or of two runs. */
export type Compared = Awaited<ReturnType<Evalgate['comparisons']['get']>>;

const DAY_MS = 86_400_000;

/** Whether it is worse, how sure that is, and what with. */
export function comparedWords({ baseline, counts, ...compared }: Compared, nowMs: number): Words[] {
  const { comparable, coverage, test, notices } = compared;
  return [
    worseWords({ ...counts, p: test.p_value, isApproximate: test.p_value_exact === null }),
    againstWords(baseline, nowMs),
    ...(comparable ? [] : [plain(`not comparable: only ${share(coverage)} of the weight is compared`)]),
    ...notices.map(({ message }) => say`note: ${message}`),
  ];
}

/**
 * With the run's baseline, by what the service found case by case; where that could not be read, by what the run itself
 * says. Undefined where the run was compared with none.
 */
export function comparedWithBaseline(
  { comparison }: Pick<ReportedRun, 'comparison'>,
  results: readonly ReportedResult[],
  compared: Compared | 'hidden' | undefined,
  nowMs = Date.now(),
): Comparison | undefined {
  if (!comparison) return undefined;
  const where = plain(' in the baseline');
  const { newly_failing_count: count, p_value: p, comparable } = comparison;
  if (typeof compared === 'object') {
    const counts = { 'newly failing': count, fixed: compared.counts.newly_passing };
    return {
      where,
      counts,
      sentences: comparedWords(compared, nowMs),
      changes: changesIn(compared, results),
    };
  }
  const worse = new Set(comparison.newly_failing);
  const failing = results.filter(({ key, passed, advisory }) => !passed && !advisory && worse.has(key));
  const sentences = [
    ...(comparable || count > 0 ? [worseWords({ newly_failing: count, p })] : []),
    ...(comparable ? [] : [plain('not comparable with the baseline')]),
    ...(compared === 'hidden'
      ? []
      : [plain('the rest of the comparison with the baseline could not be read')]),
  ];
  const changes = new Map(failing.map(({ case_id }) => [case_id, 'newly failing' as const]));
  return { where, counts: { 'newly failing': count }, sentences, changes };
}

type Judged = Pick<ReportedResult, 'case_id' | 'passed'> & { readonly advisory?: boolean };

/** A case in no list is as it was: if all lists are whole, a failing one failed before. */
export function changesIn({ cases, counts }: Compared, results: readonly Judged[]): Comparison['changes'] {
  const names = Object.keys(cases) as (keyof typeof cases)[];
  const areComplete = names.every((name) => cases[name].length === counts[name]);
  const listed = new Set(names.flatMap((name) => cases[name].map(({ case_id }) => case_id)));
  const isAsBefore = ({ case_id, passed, advisory }: Judged): boolean =>
    areComplete && !passed && !advisory && !listed.has(case_id);
  return new Map<string, Change>([
    ...cases.newly_failing.map(({ case_id }) => [case_id, 'newly failing'] as const),
    ...results.filter(isAsBefore).map(({ case_id }) => [case_id, 'already failing'] as const),
    ...cases.newly_passing.map(({ case_id }) => [case_id, 'fixed'] as const),
  ]);
}

interface Worse {
  /** Where it is known. */
  readonly compared?: number | undefined;
  readonly newly_failing: number;
  readonly newly_passing?: number | undefined;
  readonly p: number;
  readonly isApproximate?: boolean;
}

/** What the test says, in one plain sentence. */
export function worseWords({
  compared,
  newly_failing: worse,
  newly_passing: better = 0,
  ...test
}: Worse): Words {
  const { p, isApproximate = false } = test;
  if (compared === 0) return plain('no case can be compared');
  const ofCompared = compared === undefined ? '' : ` of ${counted(compared, 'compared case')}`;
  const who = compared === undefined ? counted(worse, 'case') : `${worse}${ofCompared}`;
  if (worse === 0) {
    const rest = better === 0 ? '' : `, ${better} newly passing`;
    return plain(`${compared === undefined ? 'no case' : `none${ofCompared}`} is newly failing${rest}`);
  }
  const and = better === 0 ? '' : ` and ${better} newly passing`;
  const verb = worse === 1 ? 'is' : 'are';
  return plain(`${who} ${verb} newly failing${and}: ${chanceWords(p, isApproximate)}`);
}

export const chanceWords = (p: number, isApproximate = false): string =>
  `by chance alone that happens in ${chances(p)} comparisons (p ${isApproximate ? '≈' : '='} ${shortNumber(p)})`;

/** With its age: an old baseline says little of what was released last. */
function againstWords({ id, run_ids, created_at }: Compared['baseline'], nowMs: number): Words {
  const days = Math.max(0, Math.floor((nowMs - Date.parse(created_at)) / DAY_MS));
  const age = days === 0 ? 'today' : `${counted(days, 'day')} ago`;
  const what = id === null ? `against a run of ${age}` : `against the baseline accepted ${age}`;
  const runs = joined(
    run_ids.map((run) => say`${run}`),
    ', ',
  );
  return joined([plain(`${what} (`), runs, plain(')')], '');
}

type Accepted = Awaited<ReturnType<Evalgate['baselines']['accept']>>;

/** What was accepted, and what the service thinks of it. */
export function acceptedWords({ id, run_ids, cases, pass_rate, notices }: Accepted): Words[] {
  const accepted = `${counted(run_ids.length, 'run')}, ${counted(cases, 'case')}, pass rate ${share(pass_rate)}`;
  return [
    joined([say`accepted as baseline ${id}`, plain(accepted)], ': '),
    ...notices.map(({ message }) => say`note: ${message}`),
  ];
}
