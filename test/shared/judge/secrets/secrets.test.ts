import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Secret } from '../../../../shared/domain/byok/secret.ts';
import { readJudgeAnswer } from '../../../../shared/judge/judgeAnswer.ts';
import { createScrub, scrubJson } from '../../../../shared/judge/secrets/secrets.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const longKey = fc.string({ unit: printable, minLength: 8, maxLength: 60 });
const anyKey = fc.oneof(
  fc.string({ unit: printable, minLength: 1, maxLength: 60 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '[', 'redacted', ']', '*', '.'), minLength: 1, maxLength: 30 }),
);

/** How programs write a text inside of another one. */
const FORMS: Readonly<Record<string, (key: string) => string>> = {
  'as it is': (key) => key,
  'in JSON': inJson,
  'in JSON in JSON': (key) => inJson(inJson(key)),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (key) =>
    encodeURIComponent(key).replace(/%../g, (code) => code.toLowerCase()),
  'percent-encoded by RFC 3986': (key) =>
    encodeURIComponent(key).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`),
  'in base64': base64,
  'in base64 without padding': (key) => base64(key).replaceAll('=', ''),
  'in base64url': (key) => Buffer.from(key).toString('base64url'),
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

  test.each(['user:', 'me:', 'a:', ''])('in base64 behind %j is hidden', (before) => {
    const key = 'sk+/live==9-Zx81';
    const scrubbed = createScrub(new Secret(key))(`Basic ${base64(`${before}${key}:`)}`);
    expect(scrubbed).toContain('[redacted]');
    expect(Buffer.from(scrubbed.slice(6).split('[')[0] ?? '', 'base64').toString()).not.toMatch(/sk\+/);
  });

  test('of digits only is hidden where it stands as a number', () => {
    expect(scrubJson({ key: 123456789012, score: 0.5 }, createScrub(new Secret('123456789012')))).toEqual({
      key: '[redacted]',
      score: 0.5,
    });
  });

  test('in names hides no field', () => {
    const key = 'sk-proj-Zx81kQ0vTn37';
    const value = { [key]: 1, [base64(key)]: 2, '[redacted] 2': 3, nested: { [key]: { [`${key}x`]: 4 } } };
    const scrubbed = scrubJson(value, createScrub(new Secret(key))) as object;
    expect(JSON.stringify(scrubbed)).not.toContain(key);
    expect(Object.values(scrubbed)).toEqual([1, 2, 3, { '[redacted]': { '[redacted]x': 4 } }]);
  });

  test.each([
    ['e', 'the key e. (e) e-mail 1e5 \\n one'],
    ['score', 'score: "the score" scores'],
    ['sk-12', 'provided: sk-12, ?key=sk-12&x=sk-123'],
  ])('as short as %j is hidden where it stands alone', (key, text) => {
    const alone = new RegExp(`(?<![\\w-])${key}(?![\\w-])`, 'g');
    expect(createScrub(new Secret(key))(text)).toBe(text.replace(alone, '***'.slice(0, key.length)));
  });
});

describe('scrubbing', () => {
  test.each(['e', 'r', 'n', '1', '0.9', '0', '9', 'score', 'true', '"', ':', '{', '}', '\\', 'redac', '.'])(
    'by the short key %j keeps a raw answer readable, and its verdict',
    (key) => {
      const content = '{"reasoning": "line\\nand \\"quotes\\" follow", "score":0.9}';
      const raw = { model: 'model-e', e: [1, 0, 0.9], score: true, choices: [{ message: { content } }] };
      const scrubbed = scrubJson(raw, createScrub(new Secret(key))) as typeof raw;
      expect(scrubbed).toMatchObject({ e: raw.e, score: true });
      expect(Object.keys(scrubbed)).toEqual(Object.keys(raw));
      const said = scrubbed.choices[0]?.message.content ?? '';
      expect(readJudgeAnswer(said, { isDualSided: false, levels: [] })).toMatchObject({ score: 0.9 });
    },
  );

  test('makes no text longer, and looks at nothing that it wrote', () => {
    const texts = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'b', '[redacted]', '***', '...', ' ')));
    fc.assert(
      fc.property(anyKey, texts, fc.boolean(), (key, parts, isJoined) => {
        const text = parts.join(isJoined ? key : `${key} `);
        const scrubbed = createScrub(new Secret(key))(text);
        expect(scrubbed.length).toBeLessThanOrEqual(text.length);
        expect(scrubbed).not.toContain('[[redacted]');
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
