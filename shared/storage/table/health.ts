import { setTimeout as sleep } from 'node:timers/promises';
import { organisationKey } from './keys.ts';
import type { Table } from './table.ts';

const DEADLINE_MS = 3_000;

/** As much as an item with the texts of some cases. */
const PROBE_CHARACTERS = 262_144;

/** Writes an item and deletes it. */
export async function writeProbe(table: Table): Promise<void> {
  const key = organisationKey('health');
  await table.put({ ...key, probe: 'x'.repeat(PROBE_CHARACTERS) });
  await table.delete(key);
}

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
