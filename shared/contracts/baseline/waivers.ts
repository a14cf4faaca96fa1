import * as z from 'zod';
import { dataOf } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { EDIT, READ } from '../base/rights.ts';
import { waiverSchema } from './waiver.ts';

const REASON_LENGTH_MIN = 10;

export const createWaiver = defineContract('waivers/create', 'POST /v1/runs/:runId/waiver', {
  summary: 'Waive an aborted run for a while',
  /** Strict: a condition that was dropped would waive more than its author wanted. */
  body: z.strictObject({
    reason: z
      .string()
      .trim()
      .min(REASON_LENGTH_MIN, `at least ${REASON_LENGTH_MIN} characters`)
      .max(2_000, 'at most 2,000 characters'),
    /** At most 30 days ahead. */
    expires_at: z.iso.datetime({ offset: true, error: 'must be a time such as 2026-11-30T12:00:00Z' }),
  }),
  reauthentication: 'always',
  example: { reason: 'Approved by Ada: the new tone is wanted.', expires_at: '2026-12-31T12:00:00Z' },
  responses: { 201: dataOf(waiverSchema) },
  errors: ['RUN_NOT_WAIVABLE'],
  rights: { table: [...EDIT, ...READ] },
});

export const deleteWaiver = defineContract('waivers/delete', 'DELETE /v1/runs/:runId/waiver', {
  summary: 'Revoke the waiver of a run',
  reauthentication: 'always',
  responses: { 204: null },
  rights: { table: [...EDIT, 'DeleteItem'] },
});

export const waiverContracts = [createWaiver, deleteWaiver];
