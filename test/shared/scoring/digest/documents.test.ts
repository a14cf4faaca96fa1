import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { digestWithInput, documentDigest } from '../../../../shared/scoring/digest/documents.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** RFC 8785, sections 3.2.2 and 3.2.3, and its appendix B. */
test.each([
  [
    {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    },
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  ],
  [
    { '€': 'Euro', '\r': 'Return', '\ufb33': 'Dalet', '1': 'One', '😀': 'Grin', '\u0080': 'Control', ö: 'O' },
    '{"\\r":"Return","1":"One","\u0080":"Control","ö":"O","€":"Euro","😀":"Grin","\ufb33":"Dalet"}',
  ],
  [[5e-324, -0, 1e21, 9007199254740994, 9.5e-7], '[5e-324,0,1e+21,9007199254740994,9.5e-7]'],
  [
    JSON.parse('{"b":{},"__proto__":{"z":1,"a":[]},"":0,"a":"\u2028"}'),
    '{"":0,"__proto__":{"a":[],"z":1},"a":"\u2028","b":{}}',
  ],
])('the digest of %j is that of its canonical text', (document, text) => {
  expect(documentDigest(document)).toBe(sha256(text));
});

const anyJson = fc.jsonValue();

/** The same value with the fields of every object in another order. */
function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toReversed();
  return Object.fromEntries(fields.map(([name, inner]) => [name, reordered(inner)]));
}

test('the order of fields and a way through JSON text change no digest', () => {
  fc.assert(
    fc.property(anyJson, (document) => {
      const digest = documentDigest(document);
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(documentDigest(reordered(document))).toBe(digest);
      expect(documentDigest(JSON.parse(JSON.stringify(document)))).toBe(digest);
    }),
  );
});

test('documents that differ as JSON have different digests', () => {
  const kept = anyJson.map((document): unknown => JSON.parse(JSON.stringify(document)));
  fc.assert(
    fc.property(kept, kept, (one, other) => {
      expect(documentDigest(one) === documentDigest(other)).toBe(isDeepStrictEqual(one, other));
    }),
  );
});

test.each([
  ['nothing', undefined],
  ['half a surrogate pair', 'a\ud800'],
  ['half a surrogate pair in a name', { '\udc00': 1 }],
  ['no number', Number.NaN],
  ['an infinite number', [Number.POSITIVE_INFINITY]],
])('%s has no digest', (_, document) => {
  expect(() => documentDigest(document)).toThrow();
});

test('a digest with an input is that of the list, however often the input is used', () => {
  const anyInput = fc.dictionary(fc.string(), anyJson);
  fc.assert(
    fc.property(fc.array(anyJson), anyInput, fc.array(anyJson, { maxLength: 2 }), (said, input, rest) => {
      for (const one of said) {
        expect(digestWithInput(one, input, rest)).toBe(documentDigest([one, input, ...rest]));
      }
    }),
  );
});
