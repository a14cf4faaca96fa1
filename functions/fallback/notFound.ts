import { routeNotFound } from '../../shared/contracts/fallback.ts';
import { notFound } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(routeNotFound, {
  dependencies: () => ({}),
  handle: async () => {
    throw notFound('route: see the README for all paths and methods');
  },
});
