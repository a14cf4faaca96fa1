import { afterAll, describe, expect, test } from '@jest/globals';
import { KEY } from '../clients/importers/imports/keys.ts';
import { BETWEEN } from '../clients/importers/outputs/mapping.ts';
import { EXPECTED } from '../clients/importers/promptfoo/read/expected.ts';
import { EDGE_OF_OTHER_LETTERS } from '../shared/scoring/patterns/parts.ts';
import { DURATION } from '../shared/scoring/schema/formats/times.ts';
import { EXPRESSION } from '../shared/scoring/schema/formats/uris.ts';
import { superlinear } from './support/expressions/growth.ts';
import { expressionsIn } from './support/expressions/literals.ts';
import { keepMeasured, wasMeasured } from './support/expressions/measured.ts';
import { firstOf } from './support/soak.ts';

const { expressions, constructedIn } = expressionsIn([
  'functions',
  'shared',
  'infra/local',
  ...['sdk', 'files', 'importers', 'gate', 'cli', 'action'].map((folder) => `clients/${folder}`),
]);
const written = ({ source, flags }: { source: string; flags: string }) => `/${source}/${flags}`;

/** Expressions that take more time than in proportion, and what bounds the text that they are used on. */
const CAPPED: Readonly<Record<string, string>> = {
  '/"(?:[^"\\\\]|\\\\.)*"|vErrors\\.push\\(|errors = vErrors\\.length;|\\bprops\\d+ = (?:props\\d+ \\|\\| )?\\{\\}/g':
    'reads code that ajv wrote, in which every string is closed',
};

describe('every regular expression of the sources takes time in proportion to the text', () => {
  const uncapped = expressions.filter((expression) => CAPPED[written(expression)] === undefined);

  const open = uncapped.filter((expression) => !wasMeasured(written(expression)));
  for (const { source, flags, files } of open)
    test(`${written({ source, flags })}, on the worst text for it`, () => {
      expect({ files, worst: superlinear(source, flags) }).toEqual({ files, worst: undefined });
    });
  afterAll(() => keepMeasured(uncapped.map(written)));

  test('but for those on text of a bounded length, which are all there', () => {
    const known = new Set(expressions.map(written));
    expect(Object.keys(CAPPED).filter((expression) => !known.has(expression))).toEqual([]);
  });
});

test('expressions are made from text in these files only', () => {
  const makers: Readonly<Record<string, string>> = {
    'clients/importers/imports/keys.ts': 'from constants',
    'clients/importers/outputs/mapping.ts': 'from constants',
    'clients/importers/promptfoo/read/expected.ts': 'from constants',
    'clients/files/write/yamlText.ts': 'from another expression of the file',
    'infra/local/payments/operations.ts': 'from constants',
    'shared/domain/accounts/apiKey.ts': 'from constants',
    'shared/judge/secrets.ts':
      'from the characters of a key of at most 7, each by its code: it holds no operator',
    'shared/judge/text.ts': 'from a delimiter of ours: it holds no operator',
    'shared/scoring/jsonPath/iRegexp.ts':
      'from constants, and a pattern of an assertion: under a deadline of the guard',
    'shared/scoring/kit/reading/words.ts': 'from constants',
    'shared/scoring/patterns/parts.ts': 'from constants',
    'shared/scoring/patterns/pattern.ts': "a customer's pattern: under a deadline of the guard",
    'shared/scoring/schema/formats/times.ts': 'from constants',
    'shared/scoring/schema/formats/uris.ts': 'from constants',
    'shared/scoring/schema/patterns.ts': "a pattern of a customer's schema: under a deadline of the guard",
  };
  expect(constructedIn.toSorted()).toEqual(Object.keys(makers).toSorted());
});

test.each([
  ['of the format duration', DURATION] as const,
  ['of the format uri-template', EXPRESSION] as const,
  ['between pairs of a mapping', BETWEEN] as const,
  ["of promptfoo's assertions in tables", EXPECTED] as const,
  ['of what looks like a key', KEY] as const,
  ['of an edge of a word of other letters', EDGE_OF_OTHER_LETTERS] as const,
])(
  'the expression %s, which is made from constants, takes time in proportion to the text',
  (_, { source, flags }) => {
    expect(superlinear(source, flags)).toBeUndefined();
  },
);

describe('the search for the worst text finds it', () => {
  test.each(
    firstOf(4, [
      ['the end of a run', '\\s+$', ''],
      ['a masked key whose parts overlap', '^([\\w-]*)(?:[*]+|\\.{2,})([\\w-]*)\\W*$', ''],
      ['two runs of the same characters', '^\\d+\\d+$', ''],
      ['a string that is not closed', '"[^"\\\\]*(?:\\\\.[^"\\\\]*)*"', 'g'],
      ['a line that is blank', '[^\\r\\n]*\\S[^\\r\\n]*', 'g'],
      ['a word before an at sign', '[\\w.]+@', 'g'],
    ]),
  )('%s', (_, source, flags) => {
    expect(superlinear(source, flags)).toBeDefined();
  });

  test.each([
    ['an anchored run', '^\\s+', ''],
    ['parts that exclude each other', '^[a-z]*-[a-z]*$', ''],
    ['single characters', '[&<>]', 'g'],
  ])('and nothing in %s', (_, source, flags) => {
    expect(superlinear(source, flags)).toBeUndefined();
  });
});
