import type { Chain, Position } from '../../domain/revisions/ports.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time.ts';
import { purgeKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** By so much the clocks of functions may differ. */
const CLOCKS_DIFFER_MS = 60 * MINUTE_MS;

/** Of a chain whose texts are to be purged from a revision on. One that is under way goes on where it is. */
export function textsPurgeDue(chain: Chain, { n }: Position, nowMs: number): Parameters<Table['update']>[0] {
  const { orgId, ...place } = chain;
  const position = { settled: { n, ms: n === 0 ? 0 : nowMs - CLOCKS_DIFFER_MS }, erased: n, dropped: n };
  return {
    Key: purgeKey(orgId, 'texts', chain.id),
    UpdateExpression: `SET org_id = :org, kind = :kind, id = :id, chain = :chain, announced_at = :now,
      next_at = if_not_exists(next_at, :next), #position = if_not_exists(#position, :position)`,
    ExpressionAttributeNames: { '#position': 'position' },
    ExpressionAttributeValues: {
      ':org': orgId,
      ':kind': 'texts',
      ':id': chain.id,
      ':chain': place,
      ':now': nowMs,
      ':next': nowMs + DAY_MS,
      ':position': position,
    },
  };
}
