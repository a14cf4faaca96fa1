import { expect, test } from '@jest/globals';
import { baseUrlFromEnv } from '../../../shared/runtime/baseUrl.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  [' ', undefined],
  ['https://gate.example', 'https://gate.example'],
  [' https://gate.example/ ', 'https://gate.example'],
  ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('the base URL %p is %p, without a slash at its end', (BASE_URL, expected) => {
  expect(baseUrlFromEnv({ BASE_URL })).toBe(expected);
});

test.each([
  'gate.example',
  'ftp://gate.example',
  'javascript:alert(1)',
  'https://user@gate.example',
  'https://gate.example/v1',
  'https://gate.example?a=b',
  'https://gate.example#a',
])('the base URL %p is refused by name', (BASE_URL) => {
  expect(() => baseUrlFromEnv({ BASE_URL })).toThrow('BASE_URL');
});
