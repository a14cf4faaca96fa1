import * as z from 'zod';
import { PLANS } from '../contracts/auth.ts';
import { timestampSchema, uuidSchema } from '../contracts/common.ts';
import type { AccountStore } from '../domain/ports.ts';
import { putNew } from './documents.ts';
import { apiKeyKey, apiKeyPointerKey, organisationKey } from './keys.ts';
import type { Table } from './table.ts';

/** The plan lies on every key of the organisation, so that authenticating is one read. */
const apiKeyItemSchema = z.object({
  id: uuidSchema,
  org_id: uuidSchema,
  plan: z.enum(PLANS),
  /** Runs created before are gone, whatever the plan is by now. */
  retained_from: timestampSchema.optional(),
  project_id: uuidSchema.nullable(),
});

export function accountStore(table: Table): AccountStore {
  return {
    async create(organisation, { sha256, ...key }) {
      const outcome = await table.transact({
        organisation: putNew(organisationKey(organisation.id), { ...organisation, version: 1, key_count: 1 }),
        apiKey: putNew(apiKeyKey(sha256), { ...key, org_id: organisation.id, plan: organisation.plan }),
        pointer: putNew(apiKeyPointerKey(organisation.id, key.id), { sha256 }),
      });
      // Ids are random: an organisation that is there already is this one, made by an attempt whose answer got lost.
      if (!outcome.committed && outcome.failed.get('organisation')?.id !== organisation.id) {
        throw new Error('A new organisation met an item under its own random id');
      }
    },

    async principalOfKey(sha256) {
      const item = await table.get(apiKeyKey(sha256));
      if (item === undefined) return undefined;
      const key = apiKeyItemSchema.parse(item);
      return {
        orgId: key.org_id,
        keyId: key.id,
        plan: key.plan,
        retainedFrom: key.retained_from ?? null,
        projectId: key.project_id,
      };
    },
  };
}
