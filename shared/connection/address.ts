import type { LookupAddress } from 'node:dns';
import { lookup as resolveByDns } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export type Reach = 'any' | 'loopback' | 'public';

const NOT_PUBLIC_V4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's host agent, reachable from inside a virtual network only.
  '168.63.129.16/32',
]);

/**
 * All addresses outside are refused, so that no list can be incomplete: mapped, translated (64:ff9b::/96), unique
 * local, link-local, unspecified and loopback ones.
 */
const GLOBAL_UNICAST_V6 = blockList('ipv6', ['2000::/3']);

/** Teredo and other protocol assignments, documentation, 6to4: parts of 2000::/3 that can carry an IPv4 address. */
const NOT_PUBLIC_V6 = blockList('ipv6', [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3ffe::/16',
  '3fff::/20',
]);

const LOOPBACK = blockList('ipv4', ['127.0.0.0/8']);

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix = ''] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !NOT_PUBLIC_V4.check(address, 'ipv4');
  if (version !== 6 || address.includes('%')) return false;
  return GLOBAL_UNICAST_V6.check(address, 'ipv6') && !NOT_PUBLIC_V6.check(address, 'ipv6');
}

export function isLoopbackAddress(address: string): boolean {
  return isIP(address) === 4 ? LOOPBACK.check(address, 'ipv4') : address === '::1';
}

function mayReach(address: string, reach: Reach): boolean {
  if (reach === 'any') return true;
  return reach === 'public' ? isPublicAddress(address) : isLoopbackAddress(address);
}

export class AddressNotAllowed extends Error {}

const resolveAll: Resolve = (hostname) => resolveByDns(hostname, { all: true, verbatim: true });

/**
 * A `lookup` for sockets that returns checked addresses only. The socket connects to the returned address, so that
 * the name cannot resolve differently between check and connection. One forbidden address refuses them all. A
 * socket to a literal address never calls this.
 */
export function checkedLookup(reach: Reach, resolve: Resolve = resolveAll): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => allowed(addresses, reach))
      .then(
        (addresses) => {
          const [first] = addresses;
          if (options.all === true) callback(null, [...addresses]);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: Error) => callback(error, '', 0),
      );
  };
}

function allowed(addresses: readonly LookupAddress[], reach: Reach): readonly LookupAddress[] {
  if (addresses.length > 0 && addresses.every(({ address }) => mayReach(address, reach))) return addresses;
  throw new AddressNotAllowed('the host name leads to an address that may not be called');
}
