import { changeEntrySchema } from '../../contracts/history/history.ts';
import type { LogReader } from '../../domain/changes/log.ts';
import { logOf } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export const logReader = (table: Table): LogReader => ({
  async all(orgId, projectId) {
    const items = await table.query(logOf(orgId, projectId));
    return items.map(({ entry }) => changeEntrySchema.parse(JSON.parse(String(entry)))).reverse();
  },
});
