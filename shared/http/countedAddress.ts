import { isIPv4, isIPv6 } from 'node:net';

const MAPPED_IPV4 = /^0:0:0:0:0:ffff:([\da-f]+):([\da-f]+)$/;

/** The address that is counted, in one spelling: an IPv4 address, or the /64 network of an IPv6 address. */
export function countedAddress(sourceIp: string): string {
  const [address = ''] = sourceIp.split('%');
  if (isIPv4(address) || !isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [, high, low] = MAPPED_IPV4.exec(groups.join(':')) ?? [];
  if (high === undefined || low === undefined) return groups.slice(0, 4).join(':');
  const bits = Number.parseInt(high, 16) * 0x1_00_00 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

/** All eight groups, in lower case and without leading zeros. */
function groupsOf(address: string): string[] {
  // URL gives the canonical form of RFC 5952, but with the last 32 bits in hexadecimal.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  if (tail === undefined) return head;
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
}
