import { JUDGED_SCORER_TYPES } from '../../contracts/base/scorerTypes.ts';
import type { EvalCase } from '../../contracts/cases.ts';
import type { CaseCounts, KeptCounts, StoredSuite, SuiteHead } from '../../domain/suites/ports.ts';
import { projectHeadKey, scorerKey, suiteHeadKey } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

const judgedTypes: readonly string[] = JUDGED_SCORER_TYPES;
export const isJudgedType = (type: unknown): boolean => judgedTypes.includes(String(type));

/** How a write changes a suite's counts, by the judges of the project as they were at that revision. */
export interface CountsChange extends CaseCounts {
  readonly judgesRevision: number;
}

type Counted = Pick<EvalCase, 'is_active' | 'scorer_id' | 'sample_count' | 'advisory'>;

const NO_CASES: CaseCounts = { cases: 0, judged: 0, extraOutputs: 0, gating: 0 };

/**
 * The project head before the scorers: if a scorer becomes a judge in between, its project's revision is newer than
 * the one that the counts name, and they are not used.
 */
export async function countsChange(
  table: Table,
  orgId: string,
  suite: StoredSuite,
  { before, after }: { readonly before?: Counted; readonly after?: Counted },
): Promise<CountsChange | 'none' | 'unknown'> {
  if (isCountedAlike(before, after)) return 'none';
  const project = await table.get(projectHeadKey(orgId, suite.project_slug));
  if (project === undefined) return 'unknown';
  const isJudged = async ({ scorer_id }: Counted) => {
    const scorer = await table.get(scorerKey(orgId, scorer_id));
    return scorer?.project_id === suite.project_id && isJudgedType(scorer.type);
  };
  const countsOf = async (one: Counted | undefined): Promise<CaseCounts> => {
    if (one?.is_active !== true) return NO_CASES;
    const outputs = one.sample_count;
    return {
      cases: 1,
      judged: (await isJudged(one)) ? outputs : 0,
      extraOutputs: outputs - 1,
      gating: one.advisory === null ? 1 : 0,
    };
  };
  const [old, present] = await Promise.all([countsOf(before), countsOf(after)]);
  return {
    cases: present.cases - old.cases,
    judged: present.judged - old.judged,
    extraOutputs: present.extraOutputs - old.extraOutputs,
    gating: present.gating - old.gating,
    judgesRevision: judgesRevisionOf(project),
  };
}

const isCountedAlike = (before: Counted | undefined, after: Counted | undefined): boolean =>
  before?.is_active === after?.is_active &&
  before?.scorer_id === after?.scorer_id &&
  before?.sample_count === after?.sample_count &&
  (before?.advisory === null) === (after?.advisory === null);

/** Grows with every write that may have made a judge of another scorer, or another scorer of a judge. */
export const judgesRevisionOf = (project: Item): number =>
  Number(project.scorers_revision) - Number(project.judges_kept ?? 0);

/** Of a new suite, or of one whose cases were counted at this revision. */
export const countFields = (
  { cases, judged, extraOutputs, gating, judgesRevision }: CountsChange,
  revision: number,
): Item => ({
  counted_revision: revision,
  case_count: cases,
  judged_count: judged,
  extra_outputs: extraOutputs,
  gating_count: gating,
  counting_writes: 1,
  counting_judges: judgesRevision,
});
export const NO_COUNTS: Item = {
  ...countFields({ ...NO_CASES, judgesRevision: 0 }, 1),
  counting_writes: 0,
};

/** Undefined when a writer that knows nothing of counts has changed the suite since. */
export function readCounts(head: Item): KeptCounts | undefined {
  if (head.counted_revision !== head.revision) return undefined;
  return {
    cases: Number(head.case_count),
    judged: Number(head.judged_count),
    extraOutputs: Number(head.extra_outputs),
    gating: Number(head.gating_count),
    writes: Number(head.counting_writes),
    judgesRevisions: Number(head.counting_judges),
  };
}

/** The update of `bumpRevision` with what it changes in the counts. `unknown`: no counts are known from then on. */
export function withCounts({ Update }: Write, change: CountsChange | 'none' | 'unknown'): Write {
  if (Update === undefined) throw new Error('Counts are changed by an update');
  if (change === 'unknown') return { Update };
  const known = `${Update.UpdateExpression}, counted_revision :one`;
  if (change === 'none') return { Update: { ...Update, UpdateExpression: known } };
  return {
    Update: {
      ...Update,
      UpdateExpression: `${known}, counting_writes :one, case_count :cases, judged_count :judged, extra_outputs :extra, gating_count :gating, counting_judges :judges`,
      ExpressionAttributeValues: {
        ...Update.ExpressionAttributeValues,
        ':cases': change.cases,
        ':judged': change.judged,
        ':extra': change.extraOutputs,
        ':gating': change.gating,
        ':judges': change.judgesRevision,
      },
    },
  };
}

/** Nothing is written when the suite has changed since its cases were counted. */
export async function keepCounts(
  table: Table,
  orgId: string,
  { suiteId, slug, projectId, revision }: SuiteHead,
  counts: CountsChange,
): Promise<void> {
  const fields = Object.entries(countFields(counts, revision));
  await table.update({
    Key: suiteHeadKey(orgId, slug, projectId),
    UpdateExpression: `SET ${fields.map(([name]) => `${name} = :${name}`).join(', ')}`,
    ConditionExpression: 'suite_id = :id AND revision = :counted_revision',
    ExpressionAttributeValues: {
      ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      ':id': suiteId,
    },
  });
}
