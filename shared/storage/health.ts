import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Log } from '../runtime/log.ts';
import { organisationKey } from './keys.ts';
import type { Table } from './table.ts';

const DEADLINE_MS = 3_000;

/** Whether the table answers a read, of an item that need not be there, before the deadline. */
export function tableAnswers(table: Table, log: Log): () => Promise<boolean> {
  return async () => {
    const late = new AbortController();
    const read = table.get(organisationKey('health')).then(() => true);
    const deadline = sleep(DEADLINE_MS, false, { signal: late.signal }).catch(() => false);
    try {
      return await Promise.race([read, deadline]);
    } catch (error) {
      log('warn', 'health_check_failed', describeError(error));
      return false;
    } finally {
      late.abort();
      read.catch(() => undefined);
    }
  };
}
