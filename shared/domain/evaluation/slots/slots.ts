import type { Provider } from '../../byok/providers.ts';
import type { Slotted, SlottedCall } from './ports.ts';
import { type SlotDeps, SlotLane } from './slotLane.ts';

/** At most 20 judge calls at once for an organisation and provider, in this function and all others together. */
export function createSlots(deps: SlotDeps) {
  const lanes = new Map<string, SlotLane>();
  const withSlot = async <T>(
    orgId: string,
    provider: Provider,
    call: SlottedCall<T>,
  ): Promise<Slotted<T>> => {
    const key = `${orgId}/${provider}`;
    const lane = lanes.get(key) ?? new SlotLane(deps, orgId, provider);
    lanes.set(key, lane);
    try {
      return await lane.withSlot(call);
    } finally {
      if (lane.idle) lanes.delete(key);
    }
  };
  /** Whether no call waits for a slot there, and another could have one as far as this function knows. */
  const hasSpare = (orgId: string, provider: Provider): boolean =>
    lanes.get(`${orgId}/${provider}`)?.hasSpare ?? true;
  return Object.assign(withSlot, { hasSpare });
}

export type WithSlot = ReturnType<typeof createSlots>;
