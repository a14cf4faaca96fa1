import { routeNotFound } from '../../shared/contracts/base/fallback.ts';
import { contracts } from '../../shared/contracts/registry.ts';
import { noSuchRoute } from '../../shared/domain/noSuchRoute.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(routeNotFound, {
  handle: async ({ path }) => {
    throw noSuchRoute(contracts, path);
  },
});
