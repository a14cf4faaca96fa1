import * as z from 'zod';
import { dataOf, timestampSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { WRITE } from './base/rights.ts';

export const deleteOrganisation = defineContract('organisation/delete', 'POST /v1/organisation/deletion', {
  summary: 'Delete the organisation with all it has, after seven days in which that can be taken back',
  reauthentication: 'always',
  duringDeletion: true,
  forBrowsers: true,
  body: z.strictObject({
    /** Its name or its id, so that no other one is deleted by mistake. */
    organisation: z.string(),
  }),
  example: { organisation: 'Acme' },
  responses: { 200: dataOf(z.object({ deletes_at: timestampSchema })) },
  errors: ['NOT_FOUND'],
  rights: { table: WRITE },
});

export const restoreOrganisation = defineContract(
  'organisation/restore',
  'DELETE /v1/organisation/deletion',
  {
    summary: 'Take the deletion of the organisation back',
    duringDeletion: true,
    forBrowsers: true,
    responses: { 204: null },
    errors: ['NOT_FOUND'],
    rights: { table: WRITE },
  },
);

export const organisationContracts = [deleteOrganisation, restoreOrganisation];
