import * as z from 'zod';
import { dataOf, timestampSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';

/** The answer sets a cookie, which counts for requests of the service's own pages alone. */
export const createSession = defineContract('auth/createSession', 'POST /v1/auth/session', {
  summary: 'Sign a browser in: a session by a cookie, for the API key that the request is sent with',
  scope: 'result',
  rateClass: 'auth',
  duringDeletion: true,
  forBrowsers: true,
  body: z.object({}),
  example: {},
  responses: { 201: dataOf(z.object({ expires_at: timestampSchema })) },
  errors: ['SCOPE_REQUIRED'],
  rights: { table: [], tokens: 'sign' },
});

export const deleteSession = defineContract('auth/deleteSession', 'DELETE /v1/auth/session', {
  summary: 'Sign out: all sessions of the API key, or of the person, end',
  scope: 'result',
  rateClass: 'auth',
  duringDeletion: true,
  forBrowsers: true,
  responses: { 204: null },
  errors: ['SCOPE_REQUIRED'],
  rights: { table: ['UpdateItem'] },
});
