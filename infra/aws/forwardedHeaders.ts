import * as z from 'zod';
import { VIEWER_ADDRESS_HEADER } from '../../shared/contracts/base/edge.ts';
import { contracts } from '../../shared/contracts/registry.ts';

/** Not a contract's, but the house's: what a body is. */
const OF_EVERY_ENDPOINT = ['content-type', VIEWER_ADDRESS_HEADER];
/** Those that the cache policy forwards: the edge lets no origin request policy name them. */
const OF_THE_CACHE_POLICY = new Set(['authorization', 'accept-encoding']);

/** The request headers that functions read. All others stay at the edge, whatever a client may send. */
export function forwardedHeaders(): string[] {
  const read = contracts.flatMap(({ headers }) =>
    headers instanceof z.ZodObject ? Object.keys(headers.shape) : [],
  );
  return [...new Set([...OF_EVERY_ENDPOINT, ...read])]
    .filter((name) => !OF_THE_CACHE_POLICY.has(name))
    .sort();
}
