import { defineContract } from './contract.ts';

/** Requests that match no other route. */
export const routeNotFound = defineContract('fallback/notFound', 'ANY $default', {
  summary: 'Unknown paths and methods',
  access: 'public',
  responses: {},
  errors: ['NOT_FOUND', 'METHOD_NOT_ALLOWED'],
});
