import * as z from 'zod';
import { organisationSchema } from '../contracts/auth.ts';
import { timestampSchema } from '../contracts/common.ts';
import type { Item } from './table.ts';

const organisationItemSchema = organisationSchema.extend({
  /** Grows with every change of the plan or of the set of API keys. */
  version: z.int(),
  /** Runs created before are gone, whatever the plan is by now. */
  retained_from: timestampSchema.optional(),
});
export type OrganisationItem = z.output<typeof organisationItemSchema>;

export const readOrganisationItem = (item: Item): OrganisationItem => organisationItemSchema.parse(item);
