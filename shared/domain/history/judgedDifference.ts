import type { BarDifference, ShownBar } from '../../contracts/history/history.ts';
import { changesBetween } from '../changes/fields.ts';
import type { Principal } from '../principal.ts';
import type { Member } from '../revisions/blocks.ts';
import { differing } from '../revisions/difference.ts';
import { numberIn } from '../revisions/ids.ts';
import type { AtOneMoment } from '../suites/chains/atOneMoment.ts';
import type { ScorerRow } from '../suites/chains/members.ts';
import {
  caseOfSuite,
  currentSuiteAsJudged,
  type HistoryDeps,
  type JudgedSuite,
  judgedFields,
  judgedSuite,
  openSuite,
  scorerOfSuite,
  usedScorers,
} from './judgedSuite.ts';
import type { Shows } from './shownDigests.ts';

interface RequestedDifference {
  readonly suiteId: string;
  readonly digest: string;
  /** Undefined: the suite as it is now. */
  readonly to: string | undefined;
}

export async function judgedDifference(
  deps: HistoryDeps & { readonly atOneMoment: AtOneMoment },
  principal: Principal,
  { suiteId, digest, to }: RequestedDifference,
): Promise<BarDifference> {
  const opened = await openSuite(deps, principal, suiteId);
  const before = await judgedSuite(deps, opened, digest);
  const after =
    to === undefined
      ? await currentSuiteAsJudged(deps, principal, suiteId)
      : await judgedSuite(deps, opened, to);
  return differenceOf(before, after, opened.shows);
}

/** Reads only blocks that not both of them have. That from b to a is the inverse of that from a to b. */
async function differenceOf(before: JudgedSuite, after: JudgedSuite, shows: Shows): Promise<BarDifference> {
  const cases = await differing(before.suite, after.suite);
  const active = (one: (typeof cases)[number]['before']) =>
    one?.row.is_active ? caseOfSuite(one, shows) : undefined;
  const scorers = await differingScorers(before, after);
  const sides = await Promise.all([
    shownScorers(
      before,
      scorers.map((one) => one.before),
      shows,
    ),
    shownScorers(
      after,
      scorers.map((one) => one.after),
      shows,
    ),
  ]);
  return {
    suite: changesBetween(['scoring', 'pass_threshold', 'gates'], judgedFields(before), judgedFields(after)),
    cases: listed(
      cases.map((one) => [active(one.before), active(one.after)]),
      CASE_FIELDS,
      ({ case_id, key }) => ({ case_id, key }),
    ),
    scorers: listed(
      scorers.map((_, index) => [sides[0][index], sides[1][index]]),
      SCORER_FIELDS,
      ({ scorer_id, key }) => ({ scorer_id, key }),
    ),
  };
}

const CASE_FIELDS = [
  ...(['key', 'scorer_id', 'threshold', 'weight', 'must_pass', 'tags', 'advisory_until'] as const),
  ...(['sample_count', 'sample_pass_rate', 'input_digest', 'expected_digest'] as const),
] satisfies (keyof ShownBar['cases'][number])[];

const SCORER_FIELDS = [
  ...(['type', 'dual_sided', 'precision_threshold', 'recall_threshold', 'config'] as const),
] satisfies (keyof ShownBar['scorers'][number])[];

/** Members by their name: of what changes, as it is in the later bar of the two. */
function listed<T extends object, Name>(
  pairs: readonly (readonly [before: T | undefined, after: T | undefined])[],
  fields: readonly (keyof T & string)[],
  nameOf: (member: T) => Name,
) {
  const added: Name[] = [];
  const removed: Name[] = [];
  const changed: (Name & { changes: BarDifference['suite'] })[] = [];
  for (const [before, after] of pairs) {
    if (before === undefined && after !== undefined) added.push(nameOf(after));
    if (before !== undefined && after === undefined) removed.push(nameOf(before));
    if (before === undefined || after === undefined) continue;
    const changes = changesBetween(fields, before, after);
    if (Object.keys(changes).length > 0) changed.push({ ...nameOf(after), changes });
  }
  return { added, removed, changed };
}

type OneScorer = Member<ScorerRow> | undefined;

/** Those that may differ: changed between the two, or used by one of them only. In the order of their numbers. */
async function differingScorers(before: JudgedSuite, after: JudgedSuite) {
  const changed = new Map((await differing(before.project, after.project)).map((one) => [one.number, one]));
  const [were, are] = [new Set(usedScorers(before)), new Set(usedScorers(after))];
  const numbers = new Map([...were, ...are].map((id) => [numberIn(id) ?? -1, id]));
  const sorted = [...numbers].toSorted(([a], [b]) => a - b);
  const scorerPairs = sorted.map(async ([number, id]): Promise<{ before: OneScorer; after: OneScorer }[]> => {
    const change = changed.get(number);
    if (change === undefined && were.has(id) && are.has(id)) return [];
    const [from, to] =
      change === undefined ? await there(number, before, after) : [change.before, change.after];
    return [{ before: were.has(id) ? from : undefined, after: are.has(id) ? to : undefined }];
  });
  return (await Promise.all(scorerPairs)).flat();
}

const there = (number: number, before: JudgedSuite, after: JudgedSuite): Promise<OneScorer[]> =>
  Promise.all([before.project.member(number), after.project.member(number)]);

async function shownScorers({ project }: JudgedSuite, scorers: readonly OneScorer[], shows: Shows) {
  const configs = await project.texts(scorers.flatMap((one) => one?.number ?? []));
  return scorers.map((one) => one && scorerOfSuite(one, configs.get(one.number), shows));
}
