import { describe, expect, test } from '@jest/globals';
import { finishesWithin } from '../../../../../shared/scoring/kit/guard.ts';
import { FORMATS } from '../../../../../shared/scoring/schema/formats/formats.ts';
import { sized } from '../../../../support/soak.ts';

const holds = (name: string, value: unknown) => FORMATS[name]!.validate(value as never);

/** By format: what is one, and what is none, from the RFCs' own grammars and examples. */
const TABLE: Record<string, readonly [valid: readonly unknown[], invalid: readonly unknown[]]> = {
  uuid: [
    ['2eb8aa08-aa98-11ea-b4aa-73b441d16380', '00000000-0000-0000-0000-000000000000'],
    [
      'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380',
      '2eb8aa08aa9811eab4aa73b441d16380',
      '{2eb8aa08-aa98-11ea-b4aa-73b441d16380}',
    ],
  ],
  date: [
    ['2024-02-29', '2000-02-29', '1999-12-31'],
    ['2023-02-29', '1900-02-29', '2023-1-01', '2023-04-31', '１999-01-01'],
  ],
  time: [
    ['12:00:00Z', '12:00:00.123z', '23:59:60Z', '00:59:60+01:00', '18:59:60-05:00', '23:59:59+23:59'],
    [
      '12:00:00',
      '24:00:00Z',
      '12:60:00Z',
      '12:00:61Z',
      '24:59:60+01:00',
      '22:59:60Z',
      '12:00:00+0100',
      '12:00:00+24:00',
    ],
  ],
  'date-time': [
    ['1985-04-12T23:20:50.52Z', '1990-12-31T23:59:60Z'],
    [
      '1990-12-31T24:59:60Z',
      '2020-01-01 12:00:00Z',
      '2020-01-01T12:00:00',
      '2020-02-30T12:00:00Z',
      '2020-01-01\n12:00:00Z',
    ],
  ],
  'iso-time': [
    ['12:00:00', '12:00:00+01', '12:00:00+0100'],
    ['24:59:60', '25:00:00', '12:00'],
  ],
  'iso-date-time': [
    ['2020-01-01 12:00:00', '2020-01-01T12:00:00+01'],
    ['2020-01-01', '2020-01-01  12:00:00', '2020-01-01T24:59:60'],
  ],
  duration: [
    ['P4DT12H30M5S', 'P1Y2M3D', 'PT1M', 'P2W', 'P1M', 'PT0S', 'P1Y'],
    ['P1Y2D', 'PT1H1S', 'P', 'PT', 'P1DT', 'P2W1D', 'P1D2H', 'PT1D', 'P2S', '1D', 'P1.5D', 'p1d', 'P-1D'],
  ],
  uri: [
    [
      'http://example.com:80/a?b#c',
      'mailto:a@b.c',
      'http://[::1]:8080/',
      'http://[v1.a]/',
      'http://user:p%40@h',
    ],
    [
      'http://example.com:abc/',
      '//a/b',
      'a',
      'http://[::1',
      'http://[1::2::3]/',
      'http://a/%zz',
      'http://é.fr',
      'http://a#b#c',
    ],
  ],
  'uri-reference': [
    ['', '//a/b', '/a', 'a', '?q', '#f', '../a', './a:b', 'http://a'],
    ['a:b c', '1:b', ':a', '\\a', '#a\\', '//a:b', '%'],
  ],
  'uri-template': [
    ['http://a/{b}', '{+a,b*}', '{?a:3}', '{a.b}', "a'b", ''],
    ['{', '}', '{}', '{a', 'a}', '{a b}', '{a:0}', '{a:10000}', '%a', '{{a}}', 'a b'],
  ],
  url: [
    ['https://example.com', 'http://user@a.b.co:8080/x?y', 'ftp://8.8.8.8/'],
    ['http://10.0.0.1/', 'mailto:a@b.co', 'http://example.com:abc/'],
  ],
  email: [
    ['a@b.co', 'a.b+c@d-e.co', '"a b"@c.de', 'a@[127.0.0.1]', 'a@[IPv6:::1]', `${'a'.repeat(64)}@b.co`],
    [
      'a',
      'a@b',
      '.a@b.co',
      'a..b@c.de',
      'a@-b.co',
      'a b@c.de',
      `${'a'.repeat(65)}@b.co`,
      'a@[127.0.0.256]',
      'a@b_c.de',
    ],
  ],
  hostname: [
    ['a', 'a-b.c', '1.2', 'a--b', `${'a'.repeat(63)}.b`],
    ['', '.', 'a.', '.a', 'a..b', '-a', 'a-', 'a_b', `${'a'.repeat(64)}.b`, 'a b', `${'a.'.repeat(127)}a`],
  ],
  ipv4: [
    ['0.0.0.0', '255.255.255.255', '8.8.8.8'],
    ['256.0.0.0', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4.', ' 1.2.3.4', '1.2.3.4\n', '0x1.2.3.4', ''],
  ],
  ipv6: [
    ['::', '::1', '1:2:3:4:5:6:7:8', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4'],
    [
      '',
      '1::2::3',
      '1:2:3:4:5:6:7',
      '12345::',
      '::1.2.3',
      '1:2:3:4:5:6:7:1.2.3.4',
      '::1%eth0',
      '1:2:3:4::5:6:7:8',
    ],
  ],
  regex: [
    ['a+', '^\\d$', '\\-', '(?<=a)b', '\\\\Z'],
    ['(', 'a**', '\\Z', '[b-a]', 'a\\Z'],
  ],
  'json-pointer': [
    ['', '/', '/a/~0~1/é', '//'],
    ['a', '/~', '/~2', '#/a'],
  ],
  'json-pointer-uri-fragment': [
    ['#', '#/a', '#/a%20b', '#/~0'],
    ['', '/a', '#a', '#/~', '#/%zz', '#/a b'],
  ],
  'relative-json-pointer': [
    ['0', '1/a', '10#', '0/~1'],
    ['', '/a', '01', '-1', '1a', '1##', '1/~'],
  ],
  byte: [
    ['', 'YQ==', 'YWI=', 'YWJj', '+/+/'],
    ['YQ', 'YQ=', '=', 'YQ==YQ==', '!!!!\nYWJj', 'YWJj\n', 'é===', 'Y==='],
  ],
  int32: [
    [0, -2147483648, 2147483647],
    [2147483648, -2147483649, 0.5],
  ],
  int64: [
    [0, -(2 ** 63), 2 ** 62, 1e18],
    [1e30, 2 ** 63, -1e19, 0.5],
  ],
  float: [[1.5], []],
  double: [[1.5], []],
  password: [['x'], []],
  binary: [['x'], []],
};

test('the table has every format', () => {
  expect(Object.keys(TABLE).sort()).toEqual(Object.keys(FORMATS).sort());
});

describe.each(Object.entries(TABLE))('format %s', (name, [valid, invalid]) => {
  test.each(valid.map((value) => [value]))('is %j', (value) => expect(holds(name, value)).toBe(true));
  if (invalid.length > 0) {
    test.each(invalid.map((value) => [value]))('is not %j', (value) =>
      expect(holds(name, value)).toBe(false),
    );
  }
});

/** What the expressions repeat, behind what they begin with. */
const UNITS = [
  'a',
  '1',
  '-',
  ':',
  '/',
  '.',
  '@',
  '%',
  '%41',
  '{a',
  '~',
  '"',
  '\\',
  '[',
  '::',
  '1D',
  '=',
  'a,',
  ' ',
  '\n',
  'a-',
  'é',
  'a@',
  '?',
];
const STARTS = ['', 'P', '/', '#/', '0/', 'http://', 'http://a', '2020-01-01T00:00:00.', '"', '{', 'a@'];
const LENGTH = sized(50_000, 200_000);
/** Of processor time: each takes at most 10 ms, and an expression that is quadratic takes a minute. */
const LIMIT_MS = 2_000;

test.each(Object.entries(FORMATS))('format %s takes time by the length of a foreign text', (name, format) => {
  if (format.type === 'number') return;
  for (const unit of UNITS) {
    for (const start of STARTS) {
      const text = `${start}${unit.repeat(LENGTH / unit.length)}\u0000`;
      const isDone = finishesWithin(LIMIT_MS, () => format.validate(text));
      expect({ name, unit, start, isDone }).toMatchObject({ isDone: true });
    }
  }
});
