import type { Contract } from './contract.ts';

/** A synchronous Lambda invocation takes 6 MB. */
const BODY_BYTES_MAX = 6 * 1_024 * 1_024;
/** For endpoints without a credential: enough for a name, and too little for an attack by volume. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1_024;

/** The largest body of the endpoint; undefined for the fallback route, which drops bodies unread. */
export function bodyLimitOf({ path, access, bodyBytesMax }: Contract): number | undefined {
  if (path === '$default') return undefined;
  return bodyBytesMax ?? (access === 'public' ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX);
}

export const tooLargeFor = (maxBytes: number): string =>
  `must not be larger than ${maxBytes >= 1_048_576 ? `${maxBytes / 1_048_576} MB` : `${maxBytes / 1_024} kB`}`;
