import type { Provider } from '../../byok/providers.ts';
import { type SlotDeps, SlotLane, type SlottedCall } from './slotLane.ts';

/** At most 20 judge calls at once for an organisation and provider, here and in all other functions. */
export function createSlots(deps: SlotDeps) {
  const lanes = new Map<string, SlotLane>();
  return async <T>(orgId: string, provider: Provider, call: SlottedCall<T>): Promise<T> => {
    const key = `${orgId}/${provider}`;
    const lane = lanes.get(key) ?? new SlotLane(deps, orgId, provider);
    lanes.set(key, lane);
    try {
      return await lane.withSlot(call);
    } finally {
      if (lane.idle) lanes.delete(key);
    }
  };
}

export type WithSlot = ReturnType<typeof createSlots>;
