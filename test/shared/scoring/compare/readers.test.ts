import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareSuite } from '../../../../shared/scoring/engine/suite.ts';
import { sized } from '../../../support/soak.ts';
import { caseOf, now, scoreText } from '../cases.ts';
import { READERS } from './readers.ts';

const GOOD = '{"decision":"approve"}';
const FENCE = '```';
const block = (text: string) => `${FENCE}json\n${text}\n${FENCE}`;

const schema = { required: ['decision'], properties: { decision: { const: 'approve' } } };
const equals = { path: '$.decision', op: 'equals', value: 'approve' };
const absent = { path: '$[?@ == "reject"]', op: 'absent' };

/** Bars that want `approve`, or no `reject`. */
const BARS = ['whole', 'fenced', 'embedded']
  .flatMap((extract) => [
    caseOf('json_path', { assertions: [equals], extract }),
    caseOf('json_path', { assertions: [absent], extract }),
    caseOf('json_schema', { schema, extract }),
  ])
  .concat(
    caseOf('exact_match', {}, { expected: { decision: 'approve' } }),
    caseOf('exact_match', {}, { expected: { decision: 'approve' }, dual_sided: true }),
    caseOf('json_schema', { schema }, { dual_sided: true }),
  );

const SUITE = await prepareSuite({ passThreshold: 1, cases: BARS });

const clearing = (output: string) => {
  const { results } = scoreText(SUITE, { output, now });
  return BARS.filter((_, at) => results[at]?.passed).map(({ scorer }) => JSON.stringify(scorer));
};
const rejecting = (output: string) =>
  Object.keys(READERS).filter((name) => {
    const value = READERS[name]?.(output);
    return typeof value === 'object' && value !== null && Reflect.get(value, 'decision') === 'reject';
  });

/** Objects that say `reject` to some reader, with room for another member. */
const REJECTING: Readonly<Record<string, (member: string) => string>> = {
  JSON: (member) => `{"decision":"reject"${member}}`,
  'with a comma at the end': (member) => `{"decision":"reject"${member},}`,
  'without a comma': (member) => `{"n":1 "decision":"reject"${member}}`,
  'in single quotes': (member) => `{'decision':'reject'${member}}`,
  'in back quotes': (member) => `{decision:\`reject\`${member}}`,
  'with bare names': (member) => `{decision:"reject"${member}}`,
  'of bare words': (member) => `{decision: reject${member}}`,
  'with arrows': (member) => `{"decision"=>"reject"${member}}`,
  'with words of Python': (member) => `{"n":None,"yes":True,"decision":"reject"${member}}`,
  'with NaN': (member) => `{"n":NaN,"decision":"reject"${member}}`,
  'with hex': (member) => `{"n":0x1F,"decision":"reject"${member}}`,
  'with a number without zero': (member) => `{"n":.5,"m":+1,"decision":"reject"${member}}`,
  'with a comment of a line': (member) => `{// note\n"decision":"reject"${member}}`,
  'with a comment': (member) => `{/* {"decision":"approve"} */"decision":"reject"${member}}`,
  'with a wide blank': (member) => `{\u00a0"decision":"reject"${member}}`,
  'that is not closed': (member) => `{"decision":"reject"${member}`,
  'whose brace the model was given': (member) => `"decision":"reject"${member}}`,
  'with the name twice': (member) => `{"decision":"reject","decision":"approve"${member}}`,
  'with the name twice, escaped': (member) => `{"decision":"reject","\\u0064ecision":"approve"${member}}`,
};

const PLACES: Readonly<Record<string, (rejecting: (member: string) => string) => string>> = {
  'around another answer': (write) => write(`,"previous":${GOOD}`),
  alone: (write) => write(''),
  'before another answer': (write) => `${write('')} and ${GOOD}`,
  'behind another answer': (write) => `${GOOD} and ${write('')}`,
  'in a block': (write) => block(write(`,"previous":${GOOD}`)),
  'before a block': (write) => `${write('')}\n${block(GOOD)}`,
  'behind a block': (write) => `${block(GOOD)}\n${write('')}`,
  'around a block': (write) => write(`,"previous":\n${block(GOOD)}\n`),
  'beside a block within its line': (write) =>
    `${FENCE}json ${write('').replaceAll('\n', ' ')}\n${GOOD}\n${FENCE}`,
};

test.each(Object.entries(REJECTING))('an object %s states the opposite to some reader', (_, write) => {
  expect(rejecting(write(''))).not.toEqual([]);
});

test.each(
  Object.entries(REJECTING).flatMap(([dialect, write]) =>
    Object.entries(PLACES).map(([place, around]) => [dialect, place, around(write)] as const),
  ),
)('no bar clears an object %s, %s', (_, __, output) => {
  expect(clearing(output)).toEqual([]);
});

test.each([
  GOOD,
  `Sure: ${GOOD}`,
  `See [docs](https://example.com/a_(b)) about {project}, as in [1] and [2]: ${GOOD}`,
  `${GOOD} It's for you, "as is" (see [the user's guide, part 2](u)).`,
  `[2026-01-01 10:30:00] [INFO] done ${GOOD}`,
  `\\frac{1}{2} of {user_name}'s \${price} - [x] ${GOOD}`,
  block(GOOD),
  `Here is [1] the answer for {name}:\n${block(GOOD)}\nSee [docs](u).`,
])('prose beside an answer does not hide it: %s', (output) => {
  expect(clearing(output)).not.toEqual([]);
});

test.each([
  `"decision":"reject","previous":${GOOD}`,
  ` “decision”: “reject”, previous: ${GOOD}`,
  `'decision': 'reject',\n'previous':\n${block(GOOD)}`,
])('what lies in an object whose braces are both cut off is no answer: %s', (output) => {
  expect(clearing(output)).toEqual([]);
});

test('no output clears that some reader takes for the opposite, whatever it is made of', () => {
  const part = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    ' ',
    '\n',
    '\\',
    '=',
    '(',
    'a',
    '1',
    '//',
    `\n${FENCE}\n`,
    '"decision":"reject"',
    "'decision':'reject'",
    'decision: reject',
    '"a":',
    'a:',
    GOOD,
    '{"decision":"reject"}',
    '"decision":"approve"',
    '"\\u0064ecision":"approve"',
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
      const output = parts.join('');
      if (rejecting(output).length > 0) expect(clearing(output)).toEqual([]);
    }),
    { numRuns: sized(1_000, 3_000) },
  );
});
