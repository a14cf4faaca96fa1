import type { Provider } from '../../byok/providers.ts';
import type { Slotted, SlottedCall } from './ports.ts';
import { type SlotDeps, SlotLane } from './slotLane.ts';

/** At most 20 judge calls at once for an organisation and provider, in this function and all others together. */
export function createSlots(deps: SlotDeps) {
  const lanes = new Map<string, SlotLane>();
  return async <T>(orgId: string, provider: Provider, call: SlottedCall<T>): Promise<Slotted<T>> => {
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
