import type { LoggedChange } from '../../domain/changes/log.ts';
import { newToken } from '../../domain/revisions/ids.ts';
import { DAY_SECONDS } from '../../domain/time.ts';
import { seconds } from '../table/documents.ts';
import { logKey, TTL } from '../table/keys.ts';
import type { Write } from '../table/table.ts';

const KEPT_DAYS = 365;

/** A write of the transaction that makes the change. Made once, and put again where the transaction is repeated. */
export function logWrite(orgId: string, { projectId, ...entry }: LoggedChange): Write {
  const id = newToken(Date.parse(entry.at));
  const kept = { [TTL]: seconds(entry.at) + KEPT_DAYS * DAY_SECONDS };
  return {
    Put: { Item: { ...logKey(orgId, projectId, id), ...kept, entry: JSON.stringify({ id, ...entry }) } },
  };
}
