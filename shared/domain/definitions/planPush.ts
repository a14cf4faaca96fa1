import type { Principal } from '../principal.ts';
import { memberIds } from '../revisions/ids.ts';
import { ownerAfter } from '../suites/access/writes.ts';
import type { SuiteReader } from '../suites/ports.ts';
import type { PushedScorer } from '../suites/pushed.ts';
import type { StoredSuite } from '../suites/stored.ts';
import { isNewSuite, type SuiteState } from './currentSuite.ts';
import { SUITE } from './plan/defaults.ts';
import { nonDefaultFields } from './plan/fields.ts';
import { comparedWithFormer } from './plan/former.ts';
import { planOf } from './plan/plan.ts';
import { scorerChanges } from './plan/scorerChanges.ts';
import type { Change, CompleteDefinition, Plan, SuiteFields } from './plan/types.ts';
import type { SuitesByScorer } from './ports.ts';
import { type Current, type SuiteAfterPush, suiteAfterPush } from './suiteAfterPush.ts';

interface Deps {
  readonly suites: Pick<SuiteReader, 'ofProject'>;
  readonly now: () => number;
}

interface Params {
  readonly state: SuiteState;
  readonly sent: CompleteDefinition;
  readonly prune: boolean;
}

export interface PlannedPush extends SuiteAfterPush {
  /** What is shown, and what the bar becomes by it. */
  readonly plan: Plan;
  /** Known where a scorer changes or is deleted. */
  readonly uses: SuitesByScorer;
}

/** What a definition would change, and the suite as it would be. */
export async function planPush(deps: Deps, principal: Principal, params: Params): Promise<PlannedPush> {
  const { state, sent, prune } = params;
  const isNew = isNewSuite(state.stored);
  const { suite } = state.present;
  const present = isNew ? { ...state.present, suite: { ...suite, ...sent.suite } } : state.present;
  const before = isNew ? { ...state.before, suite: sent.suite } : state.before;
  const nowMs = deps.now();
  const needsUses = prune || scorerChanges(before, sent).some(({ action }) => action === 'update');
  const uses = needsUses ? await usesElsewhere(deps, principal.orgId, suite) : NO_USES;
  const byKey = new Map([...present.byKey].map(([key, { id }]) => [key, slugsOf(uses.get(id))]));
  const isFirst = state.stored.suite.revision.lastNumber === 0;
  const bare = planOf(before, sent, { prune, isFirst, nowMs, uses: byKey });
  const unused = prune ? unusedScorers(present, sent, uses) : new Set<string>();
  const changes = [...(isNew ? [creation(sent)] : []), ...bare.changes, ...[...unused].map(deletion)];
  const plan = { ...bare, changes };
  const ownerOf = (known: PushedScorer) => ownerAfter(principal, known);
  const { stored } = state;
  const newCaseId = memberIds(suite.id, stored.suite.revision.lastNumber);
  const newScorerId = memberIds(suite.project_id, stored.scorers.revision.lastNumber);
  const writing = { prune, unused, ownerOf, nowMs, newCaseId, newScorerId };
  const { former } = state;
  return {
    ...suiteAfterPush(present, sent, plan, writing),
    plan: former === undefined ? plan : comparedWithFormer(plan, sent, { ...former, nowMs }),
    uses,
  };
}

/** By the project's other suites. */
async function usesElsewhere(
  { suites }: Pick<Deps, 'suites'>,
  orgId: string,
  { id, project_id }: StoredSuite,
): Promise<SuitesByScorer> {
  const suitesOfProject = (await suites.ofProject(orgId, project_id))
    .map(({ revision }) => revision.fields)
    .filter(({ suite }) => suite.id !== id);
  const uses = new Map<string, StoredSuite[]>();
  for (const { suite, sums } of suitesOfProject) {
    for (const scorer of Object.keys(sums.uses)) uses.set(scorer, [...(uses.get(scorer) ?? []), suite]);
  }
  return uses;
}

const NO_USES: SuitesByScorer = new Map();

const slugsOf = (suites: readonly StoredSuite[] = []): string[] => suites.map(({ slug }) => slug);

/** Those of pushes that the suite used, and that no case of any suite uses afterwards. */
function unusedScorers(present: Current, sent: CompleteDefinition, uses: SuitesByScorer): Set<string> {
  const ofPushes = [...present.scorers.values()].filter(({ made_by_push }) => made_by_push === true);
  return new Set(
    ofPushes.filter(({ id, key }) => !sent.scorers.has(key) && !uses.has(id)).map(({ key }) => key),
  );
}

const SUITE_FIELDS = [
  'name',
  'description',
  'pass_threshold',
  'gates',
  'keep_outputs',
  'show_expected',
  'show_inputs',
  'show_results',
] as const;

const creation = ({ suite }: CompleteDefinition): Change => ({
  kind: 'suite',
  key: suite.slug,
  action: 'create',
  effect: 'stricter',
  fields: nonDefaultFields<SuiteFields>(SUITE, SUITE_FIELDS, { key: suite.slug, resource: suite }),
});

const deletion = (key: string): Change => ({
  kind: 'scorer',
  key,
  action: 'delete',
  fields: {},
  effect: 'same',
});
