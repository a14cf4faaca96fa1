import * as z from 'zod';
import { organisationSchema } from '../../contracts/auth.ts';
import { timestampSchema } from '../../contracts/base/common.ts';
import { organisationKey } from '../table/keys.ts';
import type { Item, Write } from '../table/table.ts';

const organisationItemSchema = organisationSchema.extend({
  /** Grows with every change of the plan, or of the set of API keys or trusted repositories. */
  version: z.int(),
  /** Runs created before are gone, whatever the plan is by now. */
  retained_from: timestampSchema.optional(),
});
export type OrganisationItem = z.output<typeof organisationItemSchema>;

export const readOrganisationItem = (item: Item): OrganisationItem => organisationItemSchema.parse(item);

/** Whoever writes this beside other writes wins over all who read the version before. */
export const nextVersion = ({ id, version }: OrganisationItem): Write => ({
  Update: {
    Key: organisationKey(id),
    UpdateExpression: 'SET version = :next',
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version, ':next': version + 1 },
  },
});
