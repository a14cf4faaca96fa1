import { defineContract } from './contract.ts';

/** Whatever no other route matches. */
export const routeNotFound = defineContract({
  id: 'fallback/notFound',
  method: 'ANY',
  path: '$default',
  summary: 'Unknown paths and methods',
  access: 'public',
  responses: {},
  errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED'],
});
