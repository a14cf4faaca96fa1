import type { LookupAddress } from 'node:dns';
import { describe, expect, test } from '@jest/globals';
import { checkedLookup, isPublicAddress } from '../../../shared/connection/address.ts';
import { startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const PRIVATE = `
  0.0.0.0 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.168.1.1 198.18.0.1
  198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1
  ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1
  2001::1 2001:db8::1 2002:7f00:1:: 3fff::1 fc00::1 fd00:ec2::254 fe80::1
  fe80::1%eth0 fec0::1 ff02::1 5f00::1
`
  .trim()
  .split(/\s+/);
const PUBLIC = [
  '8.8.8.8',
  '20.50.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '172.32.0.1',
  '2603:1030::1',
  '2a00:1450::1',
];

test.each([...PRIVATE, 'not an address', ''])('%s is not public', (address) =>
  expect(isPublicAddress(address)).toBe(false),
);
test.each(PUBLIC)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

describe('at connect', () => {
  const MICROSOFT = 'https://acme.openai.azure.com|gate';
  const answering =
    (...addresses: string[]) =>
    async (): Promise<LookupAddress[]> =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

  test.each([
    ['127.0.0.1'],
    ['10.0.0.5'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['fd00::1'],
    [],
  ])('a name of Microsoft that leads to %j is not called', async (...addresses) => {
    const resolve = answering(...addresses.filter((address) => typeof address === 'string'));
    const { outcome, trace } = await judgeOnce(
      { provider: 'azure_openai', model: MICROSOFT },
      {},
      { resolve },
    );
    expect(outcome).toMatchObject({ kind: 'error', code: 'ENDPOINT_NOT_ALLOWED' });
    expect(trace.slots.taken).toBe(1);
  });

  test('one private address among public ones refuses them all', async () => {
    const resolve = answering('8.8.8.8', '192.168.0.1');
    const { outcome } = await judgeOnce({ provider: 'azure_openai', model: MICROSOFT }, {}, { resolve });
    expect(outcome).toMatchObject({ kind: 'error', code: 'ENDPOINT_NOT_ALLOWED' });
  });

  test('the socket gets the address that was checked', async () => {
    const lookup = checkedLookup('public', answering('8.8.8.8', '2a00:1450::1'));
    const all = await new Promise((done) => lookup('x', { all: true }, (_error, found) => done(found)));
    const one = await new Promise((done) =>
      lookup('x', {}, (_error, address, family) => done([address, family])),
    );
    expect(all).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2a00:1450::1', family: 6 },
    ]);
    expect(one).toEqual(['8.8.8.8', 4]);
  });

  test('a host name that does not resolve counts as a failed connection', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
    const { outcome, trace } = await judgeOnce(
      { provider: 'azure_openai', model: MICROSOFT },
      {},
      { resolve },
    );
    expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNAVAILABLE' });
    expect(trace.slots.taken).toBe(4);
  });

  test('plain http to a listed localhost stays on this machine', async () => {
    const { port } = new URL(providers.url);
    const model = `http://localhost:${port}|gate`;
    const endpointAllowlist = [`localhost:${port}`];
    const here = await judgeOnce(
      { provider: 'azure_openai', model },
      {},
      { endpointAllowlist, resolve: answering('127.0.0.1') },
    );
    expect(here.outcome.kind).toBe('verdict');
    providers.reset();
    const away = await judgeOnce(
      { provider: 'azure_openai', model },
      {},
      { endpointAllowlist, resolve: answering('10.0.0.1') },
    );
    expect(away.outcome).toMatchObject({ kind: 'error', code: 'ENDPOINT_NOT_ALLOWED' });
    expect(providers.calls).toHaveLength(0);
  });

  test('a listed https endpoint is never spoken to in plain text', async () => {
    const { port } = new URL(providers.url);
    const { outcome } = await judgeOnce(
      { provider: 'azure_openai', model: `https://127.0.0.1:${port}|gate` },
      {},
      { endpointAllowlist: [`127.0.0.1:${port}`] },
    );
    expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNAVAILABLE' });
    expect(providers.calls).toHaveLength(0);
  });
});
