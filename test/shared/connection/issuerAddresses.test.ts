import { expect, test } from '@jest/globals';
import { createConnect } from '../../../shared/connection/connection.ts';
import { reachOf } from '../../../shared/connection/reach.ts';
import { fetchPublished } from '../../../shared/tokens/keySet.ts';

const LISTED = [
  'gitlab.corp.example.com:443',
  '10.0.0.7:8443',
  '127.0.0.1:9000',
  'localhost:9000',
  '[::1]:9000',
];

test.each<readonly [string, ReturnType<typeof reachOf>]>([
  ['https://gitlab.com', 'public'],
  ['https://8.8.8.8/oidc', 'public'],
  ['https://[2606:4700::1]', 'public'],
  ['https://gitlab.corp.example.com', 'any'],
  ['https://10.0.0.7:8443/path', 'any'],
  ['http://127.0.0.1:9000', 'loopback'],
  ['http://localhost:9000', 'loopback'],
  ['http://[::1]:9000', 'loopback'],
  ['https://127.0.0.1:9000', 'any'],
  ['http://gitlab.com', undefined],
  ['http://gitlab.corp.example.com:443', undefined],
  ['https://gitlab.com:8443', undefined],
  ['https://gitlab.corp.example.com:444', undefined],
  ['https://10.0.0.7', undefined],
  ['http://10.0.0.7:8443', undefined],
  ['http://127.0.0.1:9001', undefined],
  ['http://127.1:9000', undefined],
  ['https://[::ffff:a00:7]:8443', undefined],
  ['https://user@gitlab.com', undefined],
  ['https://gitlab.com/?a=b', undefined],
])('of %s the address may be %s', (url, reach) => {
  expect(reachOf(url, LISTED)).toBe(reach);
});

test.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1'])(
  'a name that leads to %s is not called, though another address of it is public',
  async (address) => {
    const family = address.includes(':') ? 6 : 4;
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address, family },
    ];
    const connect: ReturnType<typeof createConnect> = (options) => createConnect()({ ...options, resolve });
    const fetched = fetchPublished('https://issuer.example.com', [], connect);
    await expect(fetched).rejects.toThrow(
      'Discovery or keys of https://issuer.example.com cannot be read: address',
    );
  },
);
