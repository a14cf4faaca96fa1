import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countedAddress } from '../../../shared/http/countedAddress.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
  ['2001:db8:1::5', '2001:db8:1:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['fe80::2%7', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
  ['test-invoke-source-ip', 'test-invoke-source-ip'],
])('%s is counted as %s', (sourceIp, counted) => {
  expect(countedAddress(sourceIp)).toBe(counted);
});

const group = fc.integer({ min: 0, max: 0xffff });

test('all ways to write an IPv6 address are one, and its network alone counts', () => {
  fc.assert(
    fc.property(fc.tuple(group, group, group, group), fc.tuple(group, group, group, group), (net, host) => {
      fc.pre(net.some((part) => part !== 0));
      const written = [...net, ...host].map((part) => part.toString(16));
      const compressed = new URL(`http://[${written.join(':')}]`).hostname.slice(1, -1);
      const long = written.map((part) => part.padStart(4, '0').toUpperCase()).join(':');
      const expected = net.map((part) => part.toString(16)).join(':');
      for (const form of [written.join(':'), compressed, long, `${compressed}%en0`]) {
        expect(countedAddress(form)).toBe(expected);
      }
    }),
  );
});

test('IPv4 addresses are counted apart, mapped into IPv6 or not', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(countedAddress(address)).toBe(address);
      expect(countedAddress(`::ffff:${address}`)).toBe(address);
    }),
  );
});
