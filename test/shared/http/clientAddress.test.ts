import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { handler as getHealth } from '../../../functions/health/get.ts';
import { handler as listTemplates } from '../../../functions/templates/list.ts';
import { clientAddress } from '../../../shared/http/clientAddress.ts';
import { countedAddress } from '../../../shared/http/countedAddress.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { createRuntime } from '../../../shared/runtime/runtime.ts';
import { eventFrom } from '../../functions/rateLimits/events.ts';

const SECRETS = ['c'.repeat(48), 'd'.repeat(48)];
const EDGE = '130.176.0.1';

const fromEdge = (address: string | undefined, secret = SECRETS[0]): APIGatewayProxyEventV2 =>
  eventFrom(EDGE, {
    ...(secret && { 'x-evalgate-origin': secret }),
    ...(address && { 'cloudfront-viewer-address': address }),
  });

test('without an edge the address is the connection’s, whatever headers say', () => {
  expect(clientAddress(fromEdge('198.51.100.7:1'), undefined)).toBe(EDGE);
});

describe('behind the edge', () => {
  test.each([
    ['198.51.100.7:46532', '198.51.100.7'],
    ['2001:db8::1:4433', '2001:db8::1'],
    ['2001:db8:0:1:2:3:4:5:65535', '2001:db8:0:1:2:3:4:5'],
    ['[2001:db8::1]:4433', '2001:db8::1'],
    ['::ffff:198.51.100.7:443', '::ffff:198.51.100.7'],
  ])('%s is %s: the port follows the last colon', (header, address) => {
    expect(clientAddress(fromEdge(header), SECRETS)).toBe(address);
  });

  test('any address comes out as it went in, with any port', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(address, fc.integer({ min: 0, max: 65_535 }), (ip, port) => {
        expect(clientAddress(fromEdge(`${ip}:${port}`), SECRETS)).toBe(ip);
      }),
    );
  });

  test.each([undefined, '198.51.100.7', ':443', 'unknown:443', '198.51.100.7, 198.51.100.8:1'])(
    'where it does not name the client (%s), the edge itself is counted',
    (header) => {
      expect(clientAddress(fromEdge(header), SECRETS)).toBe(EDGE);
    },
  );

  test('both secrets are believed while one takes the place of the other', () => {
    for (const secret of SECRETS)
      expect(clientAddress(fromEdge('198.51.100.7:1', secret), SECRETS)).toBe('198.51.100.7');
  });

  test.each(['', 'x', SECRETS.join(','), `${SECRETS[0]} `, SECRETS[0]!.slice(1)])(
    '%j in place of the secret is refused',
    (secret) => {
      expect(clientAddress(fromEdge('198.51.100.7:1', secret), SECRETS)).toBeUndefined();
    },
  );
});

describe('an endpoint behind the edge', () => {
  const runtime = createRuntime(
    readConfig({
      TABLE_NAME: 'none',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:9',
      RATE_LIMITS: 'off',
      ORIGIN_SECRETS: SECRETS.join(','),
    }),
    { log: () => {} },
  );
  const ask = (
    event: APIGatewayProxyEventV2,
    handler: typeof getHealth | typeof listTemplates = listTemplates,
  ) => handler.withRuntime(runtime)(event, { awsRequestId: 'one' } as never);

  test('answers requests that come through it', async () => {
    expect((await ask(fromEdge('198.51.100.7:1'))).statusCode).toBe(200);
  });

  test.each([
    ['an endpoint that is counted', listTemplates],
    ['one that is not', getHealth],
  ])('answers 404 in the envelope to requests that bypass it: %s', async (_, handler) => {
    for (const secret of ['', 'x'.repeat(48)]) {
      const { statusCode, body, headers } = await ask(fromEdge('198.51.100.7:1', secret), handler);
      expect(statusCode).toBe(404);
      expect(JSON.parse(body ?? '')).toEqual({ error: { code: 'NOT_FOUND', message: expect.any(String) } });
      expect(headers).not.toHaveProperty('ratelimit-limit');
      expect(body).not.toContain(SECRETS[0]);
    }
  });
});

test.each(['', 'short', `${SECRETS[0]},short`])('ORIGIN_SECRETS %j is no secret', (ORIGIN_SECRETS) => {
  const read = () => readConfig({ TABLE_NAME: 'table', ORIGIN_SECRETS }).originSecrets;
  if (ORIGIN_SECRETS === '') expect(read()).toBeUndefined();
  else expect(read).toThrow('ORIGIN_SECRETS');
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1::5', '2001:db8:1:0'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
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
