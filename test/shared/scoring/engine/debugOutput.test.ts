import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { show, showParsed } from '../../../../shared/scoring/kit/debugOutput.ts';
import { parseOutput } from '../../../../shared/scoring/kit/json.ts';

const unit = fc.constantFrom('a', '"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '😀', '\ud800');
/** Some two thirds of them are near the bound: each of a unit that takes one, two or six characters of JSON. */
const texts = fc.oneof(
  fc.tuple(unit, fc.integer({ min: 1_300, max: 8_300 })).map(([one, length]) => one.repeat(length)),
  fc
    .tuple(fc.string({ unit, maxLength: 30 }), fc.integer({ min: 4_000, max: 8_300 }))
    .map(([text, length]) => text.padStart(length, 'a')),
  fc.string({ unit, maxLength: 3_000 }),
);

test('a text is shown whole if its JSON has at most 8,192 characters', () => {
  const law = fc.property(texts, (text) => {
    const isComplete = JSON.stringify(text).length <= 8_192;
    expect(show(text)).toEqual({ value: isComplete ? text : expect.any(String), truncated: !isComplete });
  });
  fc.assert(law, { numRuns: 1_000 });
});

const written = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    '1e20',
    '-1E+20',
    '4e-7',
    '0.0000001',
    '123456789012345678901234',
    '-0',
    `0.${'0'.repeat(230)}1`,
  ),
  fc.string({ unit, maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\ud800"',
    '"\ud83d\\ude00"',
    '"\\u0041\\/"',
    'true',
    'null',
    '{"__proto__":1,"a":2,"a":3}',
  ),
);
/** Most are of 8,192 characters or some more or less, with blanks or without. */
const documents = fc
  .tuple(
    fc.array(written, { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 7_000, max: 9_000 }),
    fc.boolean(),
  )
  .map(([values, length, isSpaced]) => {
    const one = values.join(isSpaced ? ' , ' : ',');
    return `[${`${one},`.repeat(Math.ceil(length / (one.length + 1)))}0]`;
  });

test('what an output was parsed to is shown whole exactly if its JSON has at most 8,192 characters', () => {
  const law = fc.property(documents, (text) => {
    const parsed = parseOutput(text);
    if (!parsed.ok) return;
    expect(showParsed(parsed, text)).toEqual(show(parsed.value));
  });
  fc.assert(law, { numRuns: 500 });
});
