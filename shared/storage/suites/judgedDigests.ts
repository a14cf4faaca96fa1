import * as z from 'zod';
import { timestampSchema } from '../../contracts/base/common.ts';
import type { Run } from '../../contracts/runs.ts';
import { BoundedCache } from '../../domain/caches/boundedCache.ts';
import type { JudgedDigestStore } from '../../domain/history/ports.ts';
import { placeName } from '../../domain/revisions/ids.ts';
import { revisionsNamed, type SuiteChain } from '../../domain/suites/chains/chains.ts';
import { SCORING_VERSION } from '../../scoring/digest/suiteDigest.ts';
import { repeatedIn } from '../baseline/repeated.ts';
import {
  digestIn,
  digestKey,
  digestsOf,
  type Key,
  knownDigestKey,
  placeKey,
  suitePartition,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const judgedDigestSchema = z.object({
  revisions: z.string().transform(revisionsNamed),
  scoring: z.int(),
  first_run_id: z.string(),
  first_run_at: timestampSchema,
  case_count: z.int(),
  pass_threshold: z.number(),
});

const read = (item: Item) => ({
  digest: `sha256:${digestIn(String(item.sk))}` as const,
  ...judgedDigestSchema.parse(item),
  repeated: repeatedIn(item),
});

const partitionOf = ({ orgId, id }: SuiteChain): string => suitePartition(orgId, id);
const hexOf = (digest: string): string => digest.replace('sha256:', '');

export const judgedDigestStore = (table: Table): JudgedDigestStore => ({
  async find(suite, digest) {
    const item = await table.get(digestKey(partitionOf(suite), hexOf(digest)));
    return item && read(item);
  },

  async all(suite) {
    return (await table.query(digestsOf(partitionOf(suite)))).map(read);
  },

  async salt({ orgId, id }) {
    const place = await table.get(placeKey(orgId, placeName(id)));
    if (typeof place?.salt !== 'string') throw new Error(`The suite ${id} has no salt`);
    return place.salt;
  },
});

const LISTED_MAX = 10_000;
const listed = new WeakMap<Table, BoundedCache<true>>();

/** The bars that are known to be listed: a warm function writes and reads nothing for them. */
export function listedDigests(table: Table) {
  const known = listed.get(table) ?? new BoundedCache<true>({ maxSize: LISTED_MAX });
  listed.set(table, known);
  const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
  return {
    has: (key: Key): boolean => known.get(nameOf(key)) === true,
    add: (key: Key): void => known.set(nameOf(key), true),
  };
}

interface JudgingDigest {
  readonly orgId: string;
  /** The name of the bar. */
  readonly bar: string;
  readonly revisions: string;
}

type JudgedRun = Pick<
  Run,
  'id' | 'suite_id' | 'created_at' | 'total_cases' | 'suite_digest' | 'pass_threshold'
>;

/**
 * Called after a run of the bar was stored, so that a bar in the list has judged one. What fails here is left to the next
 * run of the bar: the run is stored.
 */
export const listDigest = (table: Table, bar: JudgingDigest, run: JudgedRun): Promise<void> =>
  list(table, bar, run).catch(() => undefined);

async function list(table: Table, { orgId, bar, revisions }: JudgingDigest, run: JudgedRun): Promise<void> {
  if (run.suite_digest === null || run.pass_threshold === null) return;
  const partition = suitePartition(orgId, run.suite_id);
  const key = knownDigestKey(partition, bar);
  const known = listedDigests(table);
  if (known.has(key)) return;
  const kept = await table.get(key, { mayLag: true });
  const first = { first_run_id: run.id, first_run_at: run.created_at };
  if (kept?.first_run_id === undefined) {
    await table.putIfAbsent({
      ...digestKey(partition, hexOf(run.suite_digest)),
      revisions,
      scoring: SCORING_VERSION,
      ...first,
      case_count: run.total_cases,
      pass_threshold: run.pass_threshold,
      again: {},
    });
    // Last: what it says is in the list.
    await table.update({
      Key: key,
      UpdateExpression: 'SET first_run_id = :id, first_run_at = :at',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(first_run_id)',
      ExpressionAttributeValues: { ':id': first.first_run_id, ':at': first.first_run_at },
    });
  }
  known.add(key);
}
