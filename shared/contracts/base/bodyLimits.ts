import type { Contract } from './contract.ts';

/** A synchronous Lambda invocation takes 6 MB. */
export const BODY_BYTES_MAX = 6 * 1_024 * 1_024;
/** Base64, which HTTP API hands bytes over in, makes 6 MB of it. */
const GZIP_BYTES_MAX = 4.5 * 1_024 * 1_024;
const UNPACKED_BYTES_MAX = 1_024 * 1_024;
/** For endpoints without a credential: enough for a name, and too little for an attack by volume. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1_024;

/** The largest body of the endpoint; undefined for the fallback route, which drops bodies unread. */
export function bodyLimitOf({ path, access, bodyBytesMax }: Contract): number | undefined {
  if (path === '$default') return undefined;
  return bodyBytesMax ?? (access === 'public' ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

/** Of any body: time and memory go by its values, and what holds values only takes thirty times its bytes. */
export const BODY_VALUES_MAX = 1_000_000;

interface GzipLimits {
  readonly packed: number;
  readonly unpacked: number;
}

/** The largest body of the endpoint that is sent with `Content-Encoding: gzip`, in bytes. */
export function gzipLimitsOf(contract: Contract): GzipLimits {
  const limit = bodyLimitOf(contract) ?? 0;
  return {
    packed: Math.min(limit, GZIP_BYTES_MAX),
    unpacked: contract.unpackedBytesMax ?? Math.min(limit, UNPACKED_BYTES_MAX),
  };
}

export const tooLargeFor = (maxBytes: number): string =>
  `must not be larger than ${maxBytes >= 1_048_576 ? `${maxBytes / 1_048_576} MB` : `${maxBytes / 1_024} kB`}`;
