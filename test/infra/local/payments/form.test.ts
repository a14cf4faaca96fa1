import { expect, test } from '@jest/globals';
import { parseForm } from '../../../../infra/local/payments/form.ts';

const parsed = (text: string) => JSON.parse(JSON.stringify(parseForm(text)));

test('a form holds what was sent, whatever the names are', () => {
  const text = 'items[0][id]=a%26b&items[1][id]=%C3%BC&metadata[constructor]=x&metadata[__proto__]=y';
  expect(parsed(text)).toEqual({
    items: { 0: { id: 'a&b' }, 1: { id: 'ü' } },
    metadata: JSON.parse('{"constructor": "x", "__proto__": "y"}'),
  });
  expect(parsed('a[b=1&]=2&a[]=3&=4&a[b]=5&a[b][c]=6')).toEqual({
    'a[b': '1',
    ']': '2',
    'a[]': '3',
    '': '4',
    a: { b: { c: '6' } },
  });
  const deep = `a${'[b]'.repeat(100_000)}`;
  expect(Object.keys(parseForm(`${deep}=1`))).toEqual([deep]);
});
