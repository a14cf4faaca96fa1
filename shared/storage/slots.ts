import type { SlotStore } from '../domain/evaluation/ports.ts';
import { SK, slotKey, slotsOf, TTL } from './keys.ts';
import type { Item, Table } from './table.ts';

const SLOTS = 20;
/** Longer than a judge call may take, so that only a holder that died loses its slot: 60 s, and 30 for clocks. */
const LEASE_MS = 90_000;

export function slotStore(table: Table, now: () => number, random: () => number = Math.random): SlotStore {
  const isTaken = (item: Item): boolean => Number(item.leased_until) > now();

  async function lease(orgId: string, provider: string, slot: number, holder: string, condition: string) {
    const { updated, item } = await table.update({
      Key: slotKey(orgId, provider, slot),
      UpdateExpression: `SET holder = :holder, leased_until = :until, ${TTL} = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':holder': holder,
        ':until': now() + LEASE_MS,
        ':ttl': Math.ceil((now() + LEASE_MS) / 1_000) + 86_400,
        ...(condition.includes(':now') && { ':now': now() }),
      },
    });
    // The second attempt of a write whose answer got lost finds its own work.
    return updated || item?.holder === holder;
  }

  return {
    async take(orgId, provider, holder) {
      // Others take slots at the same moment: undefined only when each of them was seen taken.
      const lost = new Set<number>();
      while (lost.size < SLOTS) {
        const items = await table.query(slotsOf(orgId, provider));
        const taken = new Set(
          items.filter(isTaken).map((item) => Number(String(item[SK]).split('#').at(-1))),
        );
        const free = Array.from({ length: SLOTS }, (_, slot) => slot).filter(
          (slot) => !taken.has(slot) && !lost.has(slot),
        );
        const slot = free[Math.floor(random() * free.length)];
        if (slot === undefined) return undefined;
        const condition = 'attribute_not_exists(leased_until) OR leased_until <= :now';
        if (await lease(orgId, provider, slot, holder, condition)) return slot;
        lost.add(slot);
      }
      return undefined;
    },

    renew: (orgId, provider, slot, holder) => lease(orgId, provider, slot, holder, 'holder = :holder'),

    async release(orgId, provider, slot, holder) {
      await table.delete(slotKey(orgId, provider, slot), {
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
      });
    },
  };
}
