import { SEATS_MAX, SLOT_LEASE_MS, SLOTS_MAX } from '../../domain/evaluation/limits.ts';
import type { Leased, SlotLease, SlotStore } from '../../domain/evaluation/slots/ports.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { type Key, lastNumberOf, slotKey, slotsOf, TTL } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const IS_FREE = 'attribute_not_exists(leased_until) OR leased_until <= :now';

const countOf = (leased: Leased): number => (leased.startsWith('seats:') ? SEATS_MAX : SLOTS_MAX);

async function takenSlots(
  table: Table,
  now: () => number,
  orgId: string,
  leased: Leased,
): Promise<Set<number>> {
  const items = await table.query(slotsOf(orgId, leased));
  const leases = items.filter((item) => Number(item.leased_until) > now());
  return new Set(leases.map((item) => lastNumberOf(item)));
}

export function slotStore(table: Table, now: () => number, random: () => number = Math.random): SlotStore {
  async function lease(key: Key, holder: string, condition: string) {
    const { updated, item } = await table.update({
      Key: key,
      UpdateExpression: `SET holder = :holder, leased_until = :until, ${TTL} = :ttl`,
      ConditionExpression: condition,
      ExpressionAttributeValues: {
        ':holder': holder,
        ':until': now() + SLOT_LEASE_MS,
        ':ttl': Math.ceil((now() + SLOT_LEASE_MS) / 1_000) + DAY_SECONDS,
        ...(condition.includes(':now') && { ':now': now() }),
      },
    });
    // A write whose answer got lost is repeated, and finds its own item.
    return updated || item?.holder === holder;
  }

  async function freeSlots(orgId: string, leased: Leased, lost: ReadonlySet<number>): Promise<number[]> {
    const taken = await takenSlots(table, now, orgId, leased);
    return Array.from({ length: countOf(leased) }, (_, slot) => ({ slot, order: random() }))
      .filter(({ slot }) => !taken.has(slot) && !lost.has(slot))
      .toSorted((a, b) => a.order - b.order)
      .map(({ slot }) => slot);
  }

  return {
    async take(orgId, leased, holders) {
      const leases: SlotLease[] = [];
      // Other functions take slots at the same moment. The loop ends when each slot was seen taken.
      const seenTaken = new Set<number>();
      for (let waiting = holders; waiting.length > 0; ) {
        const free = await freeSlots(orgId, leased, seenTaken);
        const tries = free
          .slice(0, waiting.length)
          .map((slot, index) => ({ slot, holder: waiting[index] ?? '' }));
        const outcomes = await Promise.allSettled(
          tries.map(({ slot, holder }) => lease(slotKey(orgId, leased, slot), holder, IS_FREE)),
        );
        const { won, lost, failure } = sorted(tries, outcomes);
        leases.push(...won);
        if (failure !== undefined) return takenDespite(failure, leases);
        if (tries.length === 0) break;
        for (const { slot } of lost) seenTaken.add(slot);
        waiting = [...lost.map(({ holder }) => holder), ...waiting.slice(tries.length)];
      }
      return leases;
    },

    renew: (orgId, leased, slot, holder) => lease(slotKey(orgId, leased, slot), holder, 'holder = :holder'),

    async release(orgId, leased, slot, holder) {
      await table.delete(slotKey(orgId, leased, slot), {
        ConditionExpression: 'holder = :holder',
        ExpressionAttributeValues: { ':holder': holder },
      });
    },

    countTaken: async (orgId, leased) => (await takenSlots(table, now, orgId, leased)).size,
  };
}

/** A failed write may have taken its slot: it counts as neither won nor lost. */
function sorted(tries: readonly SlotLease[], outcomes: readonly PromiseSettledResult<boolean>[]) {
  const withOutcome = (won: boolean) =>
    tries.filter((_, index) => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' && outcome.value === won;
    });
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  return { won: withOutcome(true), lost: withOutcome(false), failure };
}

function takenDespite(failure: PromiseRejectedResult, leases: readonly SlotLease[]): readonly SlotLease[] {
  if (leases.length === 0) throw failure.reason;
  return leases;
}
