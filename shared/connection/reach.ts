import { isIP } from 'node:net';
import { plainUrl } from '../contracts/credentials/issuerUrl.ts';
import { isLoopbackAddress, isPublicAddress, type Reach } from './address.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The form of an allow-list's entries. */
export const placeOf = (url: URL): string => `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`;

/**
 * Which addresses the host of an issuer's URL may have; undefined: the URL is not called. Without an entry of the allow-list
 * https at its own port to public addresses. The address is checked again when a name is resolved.
 */
export function reachOf(text: string, allowlist: readonly string[]): Reach | undefined {
  const url = plainUrl(text);
  if (url === undefined) return undefined;
  const address = url.hostname.replace(/^\[|\]$/g, '');
  const isAddress = isIP(address) !== 0;
  if (allowlist.includes(placeOf(url))) {
    if (url.protocol === 'https:') return 'any';
    return (isAddress ? isLoopbackAddress(address) : address === 'localhost') ? 'loopback' : undefined;
  }
  const isCalled = url.protocol === 'https:' && url.port === '' && (!isAddress || isPublicAddress(address));
  return isCalled ? 'public' : undefined;
}
