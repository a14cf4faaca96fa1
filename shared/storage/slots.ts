import type { SlotLease, SlotStore } from '../domain/evaluation/ports.ts';
import { SK, slotKey, slotsOf, TTL } from './keys.ts';
import type { Item, Table } from './table.ts';

const SLOTS = 20;
/** Longer than a judge call may take, so that only a holder that died loses its slot: 60 s, and 30 for clocks. */
const LEASE_MS = 90_000;
const IS_FREE = 'attribute_not_exists(leased_until) OR leased_until <= :now';

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

  /** In random order. */
  async function freeSlots(orgId: string, provider: string, lost: ReadonlySet<number>): Promise<number[]> {
    const items = await table.query(slotsOf(orgId, provider));
    const taken = new Set(items.filter(isTaken).map((item) => Number(String(item[SK]).split('#').at(-1))));
    return Array.from({ length: SLOTS }, (_, slot) => ({ slot, order: random() }))
      .filter(({ slot }) => !taken.has(slot) && !lost.has(slot))
      .toSorted((a, b) => a.order - b.order)
      .map(({ slot }) => slot);
  }

  /** What became of taking each of these slots at once. A name whose write failed may have got its slot. */
  async function takeEach(orgId: string, provider: string, tries: readonly SlotLease[]) {
    const outcomes = await Promise.allSettled(
      tries.map(({ slot, holder }) => lease(orgId, provider, slot, holder, IS_FREE)),
    );
    const those = (isSuch: (outcome: PromiseSettledResult<boolean>) => boolean) =>
      tries.filter((_, index) => isSuch(outcomes[index] as PromiseSettledResult<boolean>));
    return {
      won: those((outcome) => outcome.status === 'fulfilled' && outcome.value),
      lost: those((outcome) => outcome.status === 'fulfilled' && !outcome.value),
      failure: outcomes.find((outcome) => outcome.status === 'rejected'),
    };
  }

  return {
    async take(orgId, provider, holders) {
      const leases: SlotLease[] = [];
      // Others take slots at the same moment: fewer than asked for only when each slot was seen taken.
      const seenTaken = new Set<number>();
      for (let waiting = holders; waiting.length > 0; ) {
        const free = await freeSlots(orgId, provider, seenTaken);
        const tries = free
          .slice(0, waiting.length)
          .map((slot, index) => ({ slot, holder: waiting[index] ?? '' }));
        const { won, lost, failure } = await takeEach(orgId, provider, tries);
        leases.push(...won);
        if (failure !== undefined) return takenDespite(failure, leases);
        if (tries.length === 0) break;
        for (const { slot } of lost) seenTaken.add(slot);
        waiting = [...lost.map(({ holder }) => holder), ...waiting.slice(tries.length)];
      }
      return leases;
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

/** What was taken meanwhile is of use. */
function takenDespite(failure: PromiseRejectedResult, leases: readonly SlotLease[]): readonly SlotLease[] {
  if (leases.length === 0) throw failure.reason;
  return leases;
}
