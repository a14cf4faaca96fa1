import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { prepareSuite, scoreSuite } from '../../../../shared/scoring/engine/engine.ts';
import { probeSlips } from '../../../../shared/scoring/probes/probeSlips.ts';
import { slipsOf } from '../../../../shared/scoring/probes/slips.ts';
import { caseOf, scorer } from './suites.ts';

const NEAR = { metric: 'rouge_l', case_sensitive: false };
const near = scorer('similarity', NEAR);
const sameNumbers = scorer('similarity', { ...NEAR, same_numbers: true });
const casesOf = (own: ReturnType<typeof scorer>, ...all: unknown[]) =>
  all.map((expected, at) => caseOf(own, { key: `case-${at}`, expected }));
const PRICE = 'Express shipping costs 9.90 EUR and takes one day.';
const SUNDAYS = 'No, we do not ship on Sundays.';
const OFFICES = ['Berlin', 'Hamburg'].map((town) => `Please write to our office in ${town} today`);

test.each<[unknown, string | undefined, string[]]>([
  ['9,90', undefined, ['number 9,91']],
  ['1.204 items, no more', undefined, ['number 1.205 items, no more', 'word 1.204 items, yes more']],
  ['from 09:00 to 17:59', undefined, ['number from 09:00 to 17:54']],
  [SUNDAYS, undefined, ['word Yes, we do not ship on Sundays.', 'name No, we do not ship on.']],
  ['We do not ship it.', undefined, ['word We do ship it.']],
  ['NEIN', undefined, ['word JA']],
  ['it is a non-stop service', undefined, []],
  [OFFICES[0], 'Hamburg', [`name ${OFFICES[1]}`]],
  ['Der Versand kostet nichts. Danke', undefined, ['name Der kostet nichts. Danke']],
  ['nothing of that', 'Berlin', []],
  [
    { total: 178.5, paid: true },
    undefined,
    ['number {"total":178.6,"paid":true}', 'word {"total":178.5,"paid":false}'],
  ],
  [{ a: { b: '7 a' }, c: [1] }, undefined, ['number {"a":{"b":"8 a"},"c":[1]}']],
  [0.30000000000000004, undefined, []],
  [true, undefined, ['word false']],
  [null, undefined, []],
])('the slips of %j beside %j are %j', (expected, other, slips) => {
  expect(slipsOf(expected, other).map(({ kind, output }) => `${kind} ${output}`.trimEnd())).toEqual(slips);
});

test.each<[string, ReturnType<typeof casesOf>, string[]]>([
  ['exact_match', casesOf(scorer('exact_match'), PRICE, SUNDAYS, { total: 178.5 }), []],
  [
    'similarity',
    casesOf(near, PRICE),
    [
      'a wrong number would pass in 1 of 1 case, such as case-0: it scores 0.889, and 0.5 is enough: set same_numbers, or their threshold to 0.89 ("9.91 EUR" in place of "9.90 EUR")',
    ],
  ],
  ['similarity with same_numbers', casesOf(sameNumbers, PRICE), []],
  [
    'similarity with same_numbers of a negation',
    casesOf(sameNumbers, SUNDAYS.replace('S', 's')),
    [
      'the opposite would pass in 1 of 1 case, such as case-0: it scores 0.857, and 0.5 is enough: set their threshold to 0.86 ("Yes, we" in place of "No, we")',
    ],
  ],
  [
    'names',
    casesOf(near, ...OFFICES),
    [
      'a wrong name would pass in 2 of 2 cases, such as case-0: it scores 0.875, and 0.5 is enough: set their threshold to 0.88 ("Hamburg today" in place of "Berlin today")',
    ],
  ],
  ['contains', casesOf(scorer('contains', { values: ['9,90'] }), PRICE), []],
  [
    'four of five that fail',
    [...casesOf(near, '7 of'), ...casesOf(scorer('exact_match'), '1', '2', '3', '4', '5')],
    [],
  ],
])('by %s the slips that pass are warned of so', async (_, cases, messages) => {
  const found = await probeSlips(cases);
  expect(found.map(({ message, example }) => `${message} (${example})`)).toEqual(messages);
});

test('cases that models judge are counted, and slips of a fifth of the weight are enough', async () => {
  const judged = caseOf(scorer('llm_judge', {}), { expected: '9' });
  const weighty = casesOf(scorer('exact_match'), '1', '2', '3', '4').map((one, at) => ({
    ...one,
    key: `e${at}`,
  }));
  const [found] = await probeSlips([...casesOf(near, 'it costs 7'), ...weighty, judged]);
  expect(found?.message).toMatch(
    /^a wrong number would pass in 1 of 5 cases \(not tried: 1 that models judge\), /,
  );
});

const FILE = new URL('pairs.tsv', import.meta.url);
const pairs = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('\\n', '\n').split('\t'));

/** How many answers with one wrong fact pass, and how many that are right. */
async function passing(config: object, threshold: number) {
  const own = scorer('similarity', config);
  const cases = pairs.map(([expected], at) => caseOf(own, { key: `pair-${at}`, expected, threshold }));
  const prepared = await prepareSuite({ passThreshold: 1, cases });
  const results = scoreSuite(prepared, {
    outputsOf: (at) => (pairs[at] ?? []).map((output) => ({ output })),
    now: () => 0,
  });
  const passed = [1, 0].map((place) => results.filter((some) => some[place]?.passed).length);
  return { passed, warnings: await probeSlips(cases) };
}

test('of 40 answers with one wrong fact 40 pass a similarity of 0.5, and none once its warnings are followed', async () => {
  const before = await passing(NEAR, 0.5);
  expect(before.passed).toEqual([40, 40]);
  const same_numbers = before.warnings.some(({ message }) => message.includes('set same_numbers'));
  const thresholds = before.warnings.map(({ message }) =>
    Number(/their threshold to ([\d.]+)/.exec(message)?.[1] ?? 0),
  );
  const after = await passing({ ...NEAR, same_numbers }, Math.max(...thresholds));
  expect(after.passed).toEqual([0, 40]);
  expect(after.warnings).toEqual([]);
});

test('a score below 1 is not shown as 1, which a threshold of 1 would not stop', async () => {
  const long = `${'It is so. '.repeat(800)}It takes 2 days.`;
  const [found] = await probeSlips(casesOf(near, long));
  expect(found?.message).toMatch(/ it scores 0\.999, .* or their threshold to 1$/);
});
