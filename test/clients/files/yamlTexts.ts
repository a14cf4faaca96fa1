import fc from 'fast-check';

/** What YAML reads as something else than text where it is not quoted. */
const SCALARS = 'no on y ~ null true 0x1f 1e3 1_000 .inf 2026-01-01 12:30:45 << = --- ... | > ? @ `'.split(
  ' ',
);

/** What templates, references, terminals and runners take for something of theirs. */
const FORMS = [
  'file://a.txt',
  '\\file://a.txt',
  'see file://a.txt',
  '{{q}}',
  '{%',
  '{#',
  '##[x]',
  '\n::x::y',
];

const MARKS = [
  '- a',
  '# no comment',
  'a # b',
  'a: b',
  '[',
  '{',
  '"',
  "'",
  '%YAML 1.1',
  '&a',
  '*a',
  '!tag',
  ': ',
];

const BLANKS = [
  '',
  ' lead',
  'trail ',
  'tabs\t',
  '\t',
  'one\n',
  'one\n\n',
  '\none',
  'one\n two\n',
  ' one\ntwo',
  'one  \ntwo \n',
  'a\r\nb',
  'a\rb',
  '\u0085',
  '\u2028',
  '\ufeff',
  'x'.repeat(300),
];

const CHARACTERS = [
  '👩🏽‍🚀',
  '\u202egnp',
  '\u200b',
  '\u0000',
  '\u001b[31m',
  '\u{e0001}',
  '\\',
  'constructor',
];

/** Text that YAML, templates, terminals and files could take for something else. */
export const yamlText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...SCALARS, ...FORMS, ...MARKS),
      fc.constantFrom(...BLANKS, ...CHARACTERS, 'word', ' ', '\n'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

/** The same for names of fields. */
export const yamlName = yamlText.filter((name) => !name.includes('__proto__'));
