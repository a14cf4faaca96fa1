import * as z from 'zod';
import type { LastPush } from '../../contracts/definitions.ts';
import { suiteSchema } from '../../contracts/suites.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import type { StoredSuite, SuiteStore } from '../../domain/suites/ports.ts';
import type { Owner, PushedState } from '../../domain/suites/pushed.ts';
import { type Key, suiteHeadKey, suiteKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** As they are stored: a push reads what it wrote itself. */
const pushFields = {
  owner: z.custom<Owner>().optional(),
  last_push: z.custom<LastPush>().optional(),
  pushed: z.custom<PushedState>().optional(),
  newest_job: z.string().optional(),
};
const storedSuiteSchema = suiteSchema.extend({ project_slug: z.string(), ...pushFields });

export const readSuite = (item: Item): StoredSuite => storedSuiteSchema.parse(item);

/** For functions that write no suites. */
export const suiteFinder = (table: Table): Pick<SuiteStore, 'find'> => ({
  async find(orgId, id) {
    const item = await table.get(suiteKey(orgId, id));
    return item && readSuite(item);
  },
});

/** The key of the head of a pending run's suite. */
export const headKeyOfRun = (
  orgId: string,
  { suite_slug, project_id }: Pick<StoredRun, 'suite_slug' | 'project_id'>,
): Key | undefined => (suite_slug === undefined ? undefined : suiteHeadKey(orgId, suite_slug, project_id));
