import type { Provider } from '../../byok/providers.ts';
import type { Slotted, SlottedCall } from './ports.ts';
import { type SlotDeps, SlotWaiters } from './slotWaiters.ts';

/** At most 20 judge calls at once for an organisation and provider, in this function and all others together. */
export function createSlots(deps: SlotDeps) {
  const waiters = new Map<string, SlotWaiters>();
  const withSlot = async <T>(
    orgId: string,
    provider: Provider,
    call: SlottedCall<T>,
  ): Promise<Slotted<T>> => {
    const key = `${orgId}/${provider}`;
    const waiting = waiters.get(key) ?? new SlotWaiters(deps, orgId, provider);
    waiters.set(key, waiting);
    try {
      return await waiting.withSlot(call);
    } finally {
      if (waiting.idle) waiters.delete(key);
    }
  };
  /** Whether no call waits for a slot there, and another could have one as far as this function knows. */
  const hasSpare = (orgId: string, provider: Provider): boolean =>
    waiters.get(`${orgId}/${provider}`)?.hasSpare ?? true;
  return Object.assign(withSlot, { hasSpare });
}

export type WithSlot = ReturnType<typeof createSlots>;
