import type { KeyPrincipal, Principal } from '../principal.ts';
import { MINUTE_MS, timestamp } from '../time.ts';
import type { AccountStore, Presented } from './ports.ts';

const REMEMBERED_MAX = 1_000;

export type RecordUse = (presented: Presented, principal: Principal | KeyPrincipal) => Promise<void>;

/** The time of last use is kept to the minute. A failed write of it fails no request. */
export function useRecorder({
  accounts,
  now,
}: {
  accounts: Pick<AccountStore, 'touchKey'>;
  now: () => number;
}): RecordUse {
  /** Requests at the same moment have all read the same old time. Only one of them writes. */
  const writtenAtMs = new Map<string, number>();

  return async (presented, principal) => {
    if (presented.kind !== 'api_key' || !('lastUsedAt' in principal)) return;
    const { sha256 } = presented;
    const nowMs = now();
    const storedMs = principal.lastUsedAt === null ? 0 : Date.parse(principal.lastUsedAt);
    if (nowMs - Math.max(storedMs, writtenAtMs.get(sha256) ?? 0) < MINUTE_MS) return;
    if (writtenAtMs.size >= REMEMBERED_MAX) writtenAtMs.clear();
    writtenAtMs.set(sha256, nowMs);
    const recorded = accounts.touchKey(sha256, timestamp(nowMs), timestamp(nowMs - MINUTE_MS));
    await recorded.catch(() => writtenAtMs.delete(sha256));
  };
}
