import type { AccountMaker } from '../../domain/accounts/ports.ts';
import { logWrite } from '../lists/changeLog.ts';
import { putNew } from '../table/documents.ts';
import { organisationKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putApiKey } from './apiKeyItems.ts';

/** Apart from `accounts.ts`, which every function has. */
export const accountMaker = (table: Table): AccountMaker => ({
  async create(organisation, key, log) {
    const item = { ...organisation, version: 1, plan_version: 1 };
    const outcome = await table.transact<string>({
      organisation: putNew(organisationKey(organisation.id), item),
      ...putApiKey(item, key),
      ...(log && { log: logWrite(organisation.id, log) }),
    });
    // Ids are random: an organisation that exists already is this one, written by a request whose answer got lost.
    if (!outcome.committed && outcome.failed.get('organisation')?.id !== organisation.id) {
      throw new Error('A new organisation met an item under its own random id');
    }
  },
});
