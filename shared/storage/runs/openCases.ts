import { OPEN_JUDGED_CASES_MAX } from '../../domain/limits.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { openCasesKey, TTL } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';

/** Longer than a run is kept: what it took is given back before. */
const KEPT_SECONDS = 400 * DAY_SECONDS;

/** Of the organisation's item: all of its pending runs. Of a run, or its place in the list of pending runs: its own. */
export const openCasesIn = (item: Item | undefined): number => Number(item?.open_cases ?? 0);

/** As they were a moment ago. */
export const readOpenCases = async (table: Table, orgId: string): Promise<number> =>
  openCasesIn(await table.get(openCasesKey(orgId), { mayLag: true }));

interface Taking {
  readonly orgId: string;
  readonly judgedCases: number;
  readonly startedAtMs: number;
}

/** Belongs into the transaction that stores the run. Fails its condition when there is no room beside the open ones. */
export function takeCases({ orgId, judgedCases, startedAtMs }: Taking): Record<string, Write> {
  if (judgedCases === 0) return {};
  return {
    openCases: {
      Update: {
        Key: openCasesKey(orgId),
        UpdateExpression: `SET ${TTL} = :ttl ADD open_cases :cases`,
        ConditionExpression: 'attribute_not_exists(open_cases) OR open_cases <= :room',
        ExpressionAttributeValues: {
          ':cases': judgedCases,
          ':room': OPEN_JUDGED_CASES_MAX - judgedCases,
          ':ttl': Math.floor(startedAtMs / 1_000) + KEPT_SECONDS,
        },
      },
    },
  };
}

/** Belongs into the transaction that ends the run. */
export function giveCasesBack(orgId: string, openCases: number): Record<string, Write> {
  if (openCases === 0) return {};
  return {
    openCases: {
      Update: {
        Key: openCasesKey(orgId),
        UpdateExpression: 'ADD open_cases :cases',
        ExpressionAttributeValues: { ':cases': -openCases },
      },
    },
  };
}
