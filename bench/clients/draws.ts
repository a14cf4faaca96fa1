import fc from 'fast-check';

export interface DrawnAssertion {
  readonly type: string;
  readonly value?: unknown;
  readonly threshold?: number;
}

const SEED = 20_261_122;

/** Words with what patterns, lists and letters of other scripts make of them. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'a',
        'ok',
        '30 days',
        'Refund',
        'no',
        'ÄÖ',
        'straße',
        'Kelvin',
        '\u212aelvin',
        'ſ',
        '1',
        '42',
      ),
      fc.constantFrom(
        '.',
        '*',
        '(x)',
        '[y]',
        '\\',
        '^',
        '$',
        '|',
        '+',
        '?',
        '{2}',
        '/',
        ', ',
        '"',
        "'",
        '\n',
        '\t',
        '\r\n',
      ),
      fc.constantFrom(
        'İ',
        'ı',
        'σ',
        'ς',
        'Σ',
        'i\u0307',
        '😀',
        'é',
        'e\u0301',
        '\u2028',
        '\u00a0',
        '-0',
        '1.0',
        ' ',
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const listed = fc.oneof(
  fc.array(fc.oneof(words, fc.constantFrom(7, true)), { minLength: 1, maxLength: 3 }),
  words,
  fc.array(words, { minLength: 1, maxLength: 3 }).map((all) => all.join(', ')),
);
const json = fc.constantFrom(
  ...[
    '{"a": 1}',
    '{"a": "x", "b": [1, 2]}',
    '[1, 2, 3]',
    '"text"',
    'null',
    '1',
    '{"a": {"b": true}}',
    '{"a": -0}',
  ],
  ...[
    '{a: 1}',
    "{'a': 1}",
    '{"a": 1,}',
    'It is {"a": 1}.',
    '{"a": 1} and {"b": 2}',
    '```json\n{"a": 1}\n```',
    '',
    '{}',
  ],
  ...[
    '[{"a": 1}]',
    'So [1, 2]',
    '{"a": "}"}',
    '{"a": 1, "a": 2}',
    '{"a": 1e400}',
    '{"A": 1}',
    '[[]]',
    'true',
  ],
);
const schemas = fc.constantFrom(
  undefined,
  { type: 'object', required: ['a'] },
  { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
  { type: 'array', items: { type: 'number' } },
  { type: 'object', additionalProperties: false },
  { properties: { a: { const: 1 } } },
  { definitions: { a: { type: 'object' } }, $ref: '#/definitions/a', required: ['a'] },
  { properties: { a: { $ref: '#/definitions/a', minimum: 2 } }, definitions: { a: { type: 'number' } } },
  { type: ['array', 'object'] },
  { type: 'string' },
  'type: object',
);
const programs = fc.constantFrom(
  ...['output.length < 5', 'output.length >= 2', 'output.length === 3;', 'return output.length > 4'],
  ...[
    "output.includes('ok')",
    '!output.includes("a")',
    "output.includes('30 days')",
    "output.includes('\\n')",
  ],
  ...['JSON.parse(output).a === 1', "JSON.parse(output).a === 'x'", 'JSON.parse(output).a > 0'],
  ...['JSON.parse(output).b.length === 2', 'JSON.parse(output).a.b === true', 'JSON.parse(output)[0] <= 1'],
  ...['output.startsWith("So") || output.length > 9', 'output.includes("a") && !/ok/i.test(output)'],
  ...['output.toLowerCase().includes("refund") || output.trim() === "no"', '!/^\\s*\\{/.test(output)'],
  ...['output.trim().toLowerCase() === "ok"', '/\\d/.test(output) && output.length <= 7 ? 1 : 0'],
  ...['const d = JSON.parse(output); d.a === 1 && d.b === undefined', '"a" in JSON.parse(output)'],
  ...[
    '(() => { try { return Array.isArray(JSON.parse(output).b) && JSON.parse(output).b.length > 1 } catch { return false } })()',
  ],
  ...[
    '["x", "text"].includes(JSON.parse(output).a)',
    'JSON.parse(output).a != null',
    'JSON.parse(output).a !== "x"',
  ],
  ...[
    'JSON.parse(output).b.includes(2)',
    'JSON.parse(output).a.includes("x")',
    'typeof JSON.parse(output).a === "undefined"',
  ],
  ...['parseInt(output) >= 1', 'Number(output) < 50', 'String(JSON.parse(output).a) === "1"'],
);
const patterns = fc.constantFrom(
  ...[
    '^ok$',
    '\\d+ days',
    '[A-Z]\\w+',
    '(a|b)+',
    '^\\s*\\{',
    '.',
    '^.$',
    '\\bno\\b',
    'é',
    '^[^]{2,4}$',
    '\\u0041',
    '(?=a)a',
  ],
  ...['a{2}', '\\p{L}', '[\\s\\S]$', '(?:x|30 days)$', '\\.', '^$'],
);
const thresholds = fc.constantFrom(undefined, 0, 1, 2, 5, 0.3, 0.5, 0.75, 100, 99, 1e-3);

const of = (types: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({
    type: fc.constantFrom(...types.flatMap((type) => [type, `not-${type}`])),
    value,
  });
const assertions = fc.oneof(
  of(['contains', 'icontains', 'starts-with', 'ends-with'], words),
  of(['contains', 'icontains'], fc.constantFrom(42, 1)),
  of(['contains-all', 'contains-any', 'icontains-all', 'icontains-any'], listed),
  of(['equals'], fc.oneof(words, json, fc.constantFrom(42, true, { a: 1 }, [1, 2, 3], { a: { b: true } }))),
  of(['regex'], patterns),
  of(['is-refusal'], fc.constant(undefined)),
  of(['word-count'], fc.constantFrom(1, 2, '3', { min: 2 }, { max: 2 }, { min: 1, max: 3 })),
  of(['is-json', 'contains-json'], schemas),
  of(['javascript'], programs),
  fc.record({ type: fc.constantFrom('latency', 'cost'), threshold: thresholds }),
  fc.record({ type: fc.constantFrom('levenshtein', 'rouge-n'), value: words, threshold: thresholds }),
);

/** The same ones each time. */
export const drawAssertions = (count: number): DrawnAssertion[] =>
  fc
    .sample(assertions, { numRuns: count, seed: SEED })
    .map((assertion) => JSON.parse(JSON.stringify(assertion)));

const answers = fc.constantFrom(
  ...[
    'I cannot help with that.',
    "I'm sorry, but no.",
    'As an AI, I do not know',
    'Sorry, sold out',
    ' ',
    'one two  three',
  ],
  ...['[{"a": "x"}]', '{"a": "text", "b": []}', '{"a": "1", "b": [2]}', '42', '3 days', '{"a": null}'],
);
const OTHERS = fc.sample(fc.oneof(words, json, answers), { numRuns: 40, seed: SEED });

/** What may meet the assertion, what nearly does, and others. */
export function outputsFor({ type, value }: DrawnAssertion): string[] {
  const texts = (Array.isArray(value) ? value : [value])
    .filter((one) => one !== undefined)
    .map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)));
  const own = texts.flatMap((text) => [
    ...[text, `${text}.`, `So ${text}`, `So ${text}\nand more`, text.toUpperCase(), text.toLowerCase()],
    ...[text.slice(0, -1), `${text}\n`, text.trim(), text.normalize('NFD'), text.repeat(2)],
  ]);
  const start = type.length + texts.join('').length;
  const others = Array.from({ length: 12 }, (_, index) => OTHERS[(start * 7 + index) % OTHERS.length] ?? '');
  return [...new Set([...own, texts.join(' '), texts.toReversed().join(', '), ...others])];
}
