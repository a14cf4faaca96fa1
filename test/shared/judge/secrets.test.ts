import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { createScrub, scrubJson } from '../../../shared/judge/secrets.ts';

const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const longKey = fc.string({ unit: printable, minLength: 8, maxLength: 60 });
const anyKey = fc.oneof(
  fc.string({ unit: printable, minLength: 1, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '[', 'redacted', ']', '*', '.'), minLength: 1, maxLength: 30 }),
);

/** How providers write a key into a text. */
const FORMS: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'in JSON': (key) => JSON.stringify(key).slice(1, -1),
  'in JSON with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
};

describe('a key', () => {
  test.each(Object.entries(FORMS))('written %s is hidden, whatever it holds', (_, form) => {
    fc.assert(
      fc.property(longKey, fc.string(), fc.string(), (key, before, after) => {
        const written = form(key);
        const scrub = createScrub(new Secret(key));
        for (const text of [scrub(`${before} ${written} ${after}`), scrub(`${before}${written}${after}`)]) {
          if (!`${before} ${after} [redacted]***`.includes(written)) expect(text).not.toContain(written);
        }
      }),
    );
  });

  test('is hidden in each piece of 12 characters and more', () => {
    const piece = fc.tuple(longKey, fc.nat(), fc.integer({ min: 12, max: 60 }));
    fc.assert(
      fc.property(piece, ([key, place, length]) => {
        fc.pre(key.length >= 12);
        const start = place % (key.length - 11);
        const part = key.slice(start, start + length);
        expect(createScrub(new Secret(key))(`got ${part} now`)).toMatch(/^got (\[redacted\]|\*{1,3})+ now$/);
      }),
    );
  });

  test('of digits only is hidden where it occurs as a number', () => {
    expect(scrubJson({ key: 123456789012, score: 0.5 }, createScrub(new Secret('123456789012')))).toEqual({
      key: '[redacted]',
      score: 0.5,
    });
  });

  test('in names hides no field', () => {
    const key = 'sk-proj-Zx81kQ0vTn37';
    const value = {
      [key]: 1,
      [key.slice(0, 15)]: 2,
      '[redacted] 2': 3,
      nested: { [key]: { [`${key}x`]: 4 } },
    };
    const scrubbed = scrubJson(value, createScrub(new Secret(key))) as object;
    expect(JSON.stringify(scrubbed)).not.toContain(key);
    expect(Object.values(scrubbed)).toEqual([1, 2, 3, { '[redacted]': { '[redacted]x': 4 } }]);
  });

  test.each([
    ['e', 'the key e. (e) e-mail 1e5 one'],
    ['score', 'score: "the score" scores'],
    ['sk-12', 'provided: sk-12, ?key=sk-12&x=sk-123'],
  ])('as short as %j is hidden where it is a word', (key, text) => {
    const alone = new RegExp(`(?<![\\w-])${key}(?![\\w-])`, 'g');
    expect(createScrub(new Secret(key))(text)).toBe(text.replace(alone, '***'.slice(0, key.length)));
  });
});

describe('scrubbing', () => {
  test.each(['e', '1', '0.9', 'score', 'true', '"', ':'])(
    'by the short key %j keeps the names, numbers and shape of a raw answer',
    (key) => {
      const raw = { model: 'model-e', e: [1, 0, 0.9], score: true, choices: [{ message: { content: 'x' } }] };
      const scrubbed = scrubJson(raw, createScrub(new Secret(key))) as typeof raw;
      expect(scrubbed).toMatchObject({ e: raw.e, score: true, choices: raw.choices });
      expect(Object.keys(scrubbed)).toEqual(Object.keys(raw));
    },
  );

  test('makes no text longer, and looks at nothing that it wrote', () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'b', '[redacted]', '***', '...', ' ')));
    fc.assert(
      fc.property(anyKey, texts, fc.boolean(), (key, parts, isJoined) => {
        const text = parts.join(isJoined ? key : `${key} `);
        const scrubbed = createScrub(new Secret(key))(text);
        expect(scrubbed.length).toBeLessThanOrEqual(text.length);
        // A bracket of the text may stand before what is hidden.
        const brackets = text.split(/\[(?!redacted\])/).length;
        expect(scrubbed.split('[[redacted]').length).toBeLessThanOrEqual(brackets);
      }),
    );
  });

  test.each(['e', 'e ', 'redacted', 'a', '%2', '.', '\\"'])('takes %j repeated to a megabyte', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    for (const key of ['e', unit.trim(), `${unit.trim().repeat(1_000)}!`, `!${unit.trim().repeat(1_000)}`]) {
      expect(createScrub(new Secret(key))(text).length).toBeLessThanOrEqual(text.length);
    }
  });
});
