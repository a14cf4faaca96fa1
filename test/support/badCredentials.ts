import { newApiKey } from '../../shared/domain/accounts/apiKey.ts';

const swapLast = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
const swapMiddle = (key: string): string => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);

/** Titles and headers that are no credential; `key` is one that is valid. */
export const badCredentials = (
  key: string,
): readonly (readonly [title: string, header: string | undefined])[] => [
  ['none', undefined],
  ['an empty header', ''],
  ['no scheme', key],
  ['the wrong scheme', `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
  ['the wrong scheme around a key', `Token ${key}`],
  ['a scheme only', 'Bearer'],
  ['a malformed key', 'Bearer sesame'],
  ['a key without its prefix', `Bearer ${key.slice(4)}`],
  ['a key cut short', `Bearer ${key.slice(0, -1)}`],
  ['a key with more behind it', `Bearer ${key}0`],
  ['a wrong checksum', `Bearer ${swapLast(key)}`],
  ['a typing error within', `Bearer ${swapMiddle(key)}`],
  ['another case of letters', `Bearer ${key.toUpperCase()}`],
  ['a key in quotes', `Bearer "${key}"`],
  ['two keys', `Bearer ${key}, Bearer ${key}`],
  ['a key that was never issued', `Bearer ${newApiKey()}`],
  ['something like a JWT', 'Bearer eyJhbGciOiJub25lIn0.eyJvcmciOiJ4In0.'],
  ['a huge one', `Bearer egk_${'A'.repeat(8_000)}`],
];
