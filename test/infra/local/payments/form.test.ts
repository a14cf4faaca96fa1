import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Form, type FormValue, parseForm } from '../../../../infra/local/payments/form.ts';

/** As the provider's SDKs write nested parameters. */
function* encode(value: FormValue, name: string): Generator<string> {
  if (typeof value === 'string') yield `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  else for (const [key, inner] of Object.entries(value)) yield* encode(inner, `${name}[${key}]`);
}

/** Names of any kind but with brackets in them; every branch ends in a text, which is all a form can say. */
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[[\]]/.test(text)),
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '1'),
);
const { form } = fc.letrec<{ form: Form; value: FormValue }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.string({ unit: 'grapheme' }), tie('form')),
  form: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 4, noNullPrototype: false }),
}));

test('nested parameters arrive as they were sent', () => {
  fc.assert(
    fc.property(form, (sent) => {
      const text = Object.entries(sent).flatMap(([key, value]) => [...encode(value, key)]);
      expect(JSON.stringify(sorted(parseForm(text.join('&'))))).toBe(JSON.stringify(sorted(sent)));
    }),
  );
});

test('any text is a form', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseForm(text)));
  expect(parseForm('a[b=1&]=2&a[][=3&[x]=4')).not.toBeNull();
  expect({ ...(parseForm('a[]=x&a[]=y').a as Form) }).toEqual({ 0: 'x', 1: 'y' });
});

test('a name deeper than any parameter is one name, however deep', () => {
  const deep = `a${'[b]'.repeat(100_000)}`;
  expect(Object.keys(parseForm(`${deep}=1`))).toEqual([deep]);
});

function sorted(value: FormValue): unknown {
  if (typeof value === 'string') return value;
  const names = Object.keys(value).sort();
  return names.map((key) => [key, sorted(value[key] ?? '')]);
}
