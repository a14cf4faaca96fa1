import type { IncomingHttpHeaders } from 'node:http';
import { isLoopback } from '../../../shared/runtime/loopback.ts';

interface Place {
  /** `HOST`. */
  readonly host: string;
  readonly baseUrl: string | undefined;
  readonly originSecrets: readonly string[] | undefined;
}

/** Whether neither the address nor the settings of the service lead other machines to it. */
export const isLocal = ({ host, baseUrl, originSecrets }: Place): boolean =>
  isOfLoopback(host) &&
  originSecrets === undefined &&
  (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly httpVersion: string;
  /** Of the connection, which may be that of a proxy. */
  readonly remoteAddress: string;
}

/** What proxies and tunnels add. */
const FORWARDED =
  /^(forwarded|via|true-client-ip|x-(real-ip|(client|forwarded|original)-.+)|(cf|tailscale)-.+)$/;

/** A proxy calls from this machine, too: by HTTP/1.0, under its own name, or with a header about its caller. */
export function isFromHere({ headers, httpVersion, remoteAddress }: Sent): boolean {
  const isProxied = Object.keys(headers).some((name) => FORWARDED.test(name));
  return isOfLoopback(remoteAddress) && httpVersion === '1.1' && isHostOfLoopback(headers) && !isProxied;
}

/** Of addresses as sockets and `HOST` have them. */
function isOfLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isLoopback(plain.includes(':') ? `[${plain}]` : plain);
}

const isHostOfLoopback = ({ host = '' }: IncomingHttpHeaders): boolean =>
  isLoopback(host.replace(/:\d+$/, ''));
