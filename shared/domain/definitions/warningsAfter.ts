import type { BarWarning } from '../../contracts/gates.ts';
import { isJudged } from '../../scoring/engine/judged.ts';
import { isAdvisory, rulesOf } from '../suites/gates/rules.ts';
import { gateWarnings } from '../suites/gates/warnings.ts';
import type { Change } from './plan/types.ts';
import type { PlannedPush } from './planPush.ts';

/** A push of more takes no longer than without probes. */
const PROBED_CASES_MAX = 1_000;

interface Probing {
  readonly mayRead: boolean;
  /** Of the plan: advisories end by it. */
  readonly nowMs: number;
}

/** What is wrong with the bar as a push leaves it. It is probed only where the push moves it. */
export async function warningsAfter(
  { plan: { changes }, after }: Pick<PlannedPush, 'plan' | 'after'>,
  { mayRead, nowMs }: Probing,
): Promise<BarWarning[]> {
  const active = after.cases.filter(({ is_active }) => is_active);
  // With scorers of its own, a plan would find out what stored cases expect.
  const isHidden = !mayRead && changes.some(({ kind, action }) => kind === 'case' && action === 'keep');
  if (isHidden || active.length > PROBED_CASES_MAX || !changes.some(movesBar))
    return gateWarnings(after.cases, after.suite, judgesIn(after), nowMs);
  const { barFindings, isWarning } = await import('../../scoring/probes/barWarnings.ts');
  const cases = active.map((evalCase) => ({
    ...evalCase,
    ...rulesOf(evalCase),
    scorer: after.scorers.get(evalCase.scorer_id) ?? null,
  }));
  const bar = { passThreshold: after.suite.pass_threshold, gates: after.suite.gates };
  // Whether a slip passes depends on no threshold of the suite.
  const triesSlips = changes.some(
    ({ kind, action }) => action !== 'keep' && (kind !== 'suite' || action === 'create'),
  );
  const advisoryOf = (evalCase: (typeof cases)[number]) => isAdvisory(evalCase, nowMs);
  return (await barFindings(cases, bar, advisoryOf, triesSlips)).filter(isWarning);
}

/** The ids of those of its scorers that models judge by. */
const judgesIn = ({ scorers }: PlannedPush['after']): ReadonlySet<string> =>
  new Set([...scorers.values()].filter((scorer) => isJudged(scorer)).map(({ id }) => id));

const movesBar = ({ kind, action, fields }: Change): boolean =>
  action !== 'keep' &&
  (kind !== 'suite' || action !== 'update' || 'pass_threshold' in fields || 'gates' in fields);
