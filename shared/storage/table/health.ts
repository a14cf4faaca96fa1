import { setTimeout as sleep } from 'node:timers/promises';
import { organisationKey } from './keys.ts';
import type { Table } from './table.ts';

const DEADLINE_MS = 3_000;

/** Whether the table answers a read before the deadline. The item need not exist. */
export function tableAnswers(table: Table, onError: (error: unknown) => void): () => Promise<boolean> {
  return async () => {
    const late = new AbortController();
    const read = table.get(organisationKey('health')).then(() => true);
    const deadline = sleep(DEADLINE_MS, false, { signal: late.signal }).catch(() => false);
    try {
      return await Promise.race([read, deadline]);
    } catch (error) {
      onError(error);
      return false;
    } finally {
      late.abort();
      read.catch(() => undefined);
    }
  };
}
