import * as z from 'zod';
import { organisationSchema } from '../../contracts/auth.ts';
import { timestampSchema } from '../../contracts/base/common.ts';
import { organisationKey } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

const organisationItemSchema = organisationSchema.extend({
  /** Grows with every change of the plan, or of the set of API keys or trusted issuers. */
  version: z.int(),
  /** Grows with every change of the plan: each run counts under the version that lets it in. */
  plan_version: z.int(),
  /** Runs created before this moment are gone under any plan. */
  retained_from: timestampSchema.optional(),
});
export type OrganisationItem = z.output<typeof organisationItemSchema>;

export const readOrganisationItem = (item: Item): OrganisationItem => organisationItemSchema.parse(item);

/** Beside other writes: of several writers that read one version, the first wins and the others read again. */
export const nextVersion = ({ id, version }: OrganisationItem, also = '', values: Item = {}): Write => ({
  Update: {
    Key: organisationKey(id),
    UpdateExpression: `SET version = :next${also}`,
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version, ':next': version + 1, ...values },
  },
});
