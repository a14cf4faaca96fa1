import type { SuitesByScorer } from '../../../domain/definitions/ports.ts';
import type { StoredSuite } from '../../../domain/suites/ports.ts';
import { idsOf, readList } from '../../lists/lists.ts';
import { casesOfSuite, SK, scorerUsesKey, suiteHeadKey, suiteKey, suiteList } from '../../table/keys.ts';
import { throughPush } from '../../table/pushes/throughPush.ts';
import type { Item, Table } from '../../table/table.ts';
import { readSuite } from '../suiteOfRun.ts';

/** Of a project's suites; without the one of the id `except`. */
export async function suitesByScorer(
  table: Table,
  orgId: string,
  { project_id }: Pick<StoredSuite, 'project_id'>,
  except?: string,
): Promise<SuitesByScorer> {
  const ids = idsOf(await readList(table, suiteList(orgId, project_id))).filter((id) => id !== except);
  const items = await table.getMany(ids.map((other) => suiteKey(orgId, other)));
  const suites = items.filter((item) => item !== undefined).map(readSuite);
  const [heads, known] = await Promise.all([
    table.getMany(suites.map(({ slug }) => suiteHeadKey(orgId, slug, project_id))),
    table.getMany(suites.map((suite) => scorerUsesKey(orgId, suite.id))),
  ]);
  const uses = new Map<string, StoredSuite[]>();
  for (const [index, suite] of suites.entries()) {
    const place = { table, orgId, suite };
    for (const scorer of await scorersUsed(place, heads[index], known[index])) {
      uses.set(scorer, [...(uses.get(scorer) ?? []), suite]);
    }
  }
  return uses;
}

interface Place {
  readonly table: Table;
  readonly orgId: string;
  readonly suite: StoredSuite;
}

/** As they were found last, unless the suite has changed since. */
async function scorersUsed(place: Place, head: Item | undefined, known: Item | undefined): Promise<string[]> {
  const revision = Number(head?.revision);
  const isWritten = head?.push_id === undefined;
  if (isWritten && known?.revision === revision) return known.scorer_ids as string[];
  const { table, orgId, suite } = place;
  const headKey = suiteHeadKey(orgId, suite.slug, suite.project_id);
  const seen = isWritten ? table : await throughPush(table, headKey);
  const slim = ({ [SK]: sk, scorer_id }: Item): Item => ({ [SK]: sk, scorer_id });
  const cases = await seen.query(casesOfSuite(orgId, suite.id), { slim });
  const used = cases.flatMap(({ scorer_id }) => (scorer_id === undefined ? [] : [String(scorer_id)]));
  const scorers = [...new Set(used)].toSorted();
  const after = await table.get(headKey);
  if (isWritten && after?.revision === revision && after.push_id === undefined) {
    await table.put({ ...scorerUsesKey(orgId, suite.id), revision, scorer_ids: scorers });
  }
  return scorers;
}
