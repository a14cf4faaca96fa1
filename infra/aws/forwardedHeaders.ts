import * as z from 'zod';
import { VIEWER_ADDRESS_HEADER } from '../../shared/contracts/base/edge.ts';
import { contracts } from '../../shared/contracts/registry.ts';

/** Headers that functions read and no contract declares. */
const OF_EVERY_ENDPOINT = ['content-encoding', 'content-type', 'sec-fetch-site', VIEWER_ADDRESS_HEADER];
/** The cache policy forwards these; CloudFront refuses them in an origin request policy. */
const OF_THE_CACHE_POLICY = new Set(['authorization', 'accept-encoding']);

/** The request headers that functions read. CloudFront forwards no others. */
export function forwardedHeaders(): string[] {
  const read = contracts.flatMap(({ headers }) =>
    headers instanceof z.ZodObject ? Object.keys(headers.shape) : [],
  );
  return [...new Set([...OF_EVERY_ENDPOINT, ...read])]
    .filter((name) => !OF_THE_CACHE_POLICY.has(name))
    .sort();
}
