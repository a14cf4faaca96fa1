import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { markdownReport } from '../../../../clients/gate/report/markdown.ts';
import { changesBetween, comparedWithBranch } from '../../../../clients/gate/report/review/comparison.ts';
import { excerptsMarkdown } from '../../../../clients/gate/report/review/excerpts.ts';
import { textReport } from '../../../../clients/gate/report/text.ts';
import type { Report, ReportedResult } from '../../../../clients/gate/report/types.ts';
import { aReport, aResult } from './reports.ts';

const named = (key: string, fields: Partial<ReportedResult> = {}) =>
  aResult({ key, case_id: key, case_name: key, ...fields });
const before = (...keys: string[]) => keys.map((key) => named(key, { passed: key.startsWith('good') }));

const RESULTS = [
  named('good-new', { weight: 1 }),
  named('good-still', { passed: true, score: 1 }),
  named('bad-still', { reason: 'No.' }),
  named('bad-fixed', { passed: true, score: 1 }),
  named('added'),
  named('good-errored', { errored: true, reason: 'PROVIDER_TIMEOUT' }),
  named('bad-advisory', { advisory: true }),
];
const CHANGED = changesBetween(
  before('good-new', 'good-still', 'bad-still', 'bad-fixed', 'good-errored', 'bad-advisory'),
  RESULTS,
);
const COMPARED: Report = {
  ...aReport({ failed_cases: 4, advisory_failed_cases: 1 }, RESULTS),
  comparison: comparedWithBranch('main', { id: 'run_0', sha: '1f2e3d4c5b6a', isSameBar: true }, CHANGED),
};

test('of a run it is known which cases newly fail, which failed before, and which are fixed; an errored, new or advisory one is none of them', () => {
  expect(Object.fromEntries(CHANGED)).toEqual({
    'good-new': 'newly failing',
    'bad-still': 'already failing',
    'bad-fixed': 'fixed',
  });
});

test('a run has no change against itself, and a case fixed one way is newly failing the other way', () => {
  const outcomes = fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), { maxLength: 20 });
  fc.assert(
    fc.property(outcomes, outcomes, (one, other) => {
      const resultsOf = (list: typeof one) =>
        list.map(([passed, errored], at) => named(`c${at}`, { passed: passed && !errored, errored }));
      const changes = (first: typeof one, second: typeof one) => [
        ...changesBetween(resultsOf(first), resultsOf(second)),
      ];
      expect(changes(one, one).every(([, change]) => change === 'already failing')).toBe(true);
      const idsOf = (list: ReturnType<typeof changes>, wanted: string) =>
        list.flatMap(([id, change]) => (change === wanted ? [id] : []));
      expect(idsOf(changes(one, other), 'fixed')).toEqual(idsOf(changes(other, one), 'newly failing'));
    }),
  );
});

test('the comparison comes right below the verdict, and its cases before all others', () => {
  expect(textReport(COMPARED).split('\n').slice(2)).toEqual([
    '  against main (run_0 of 1f2e3d4): 1 newly failing, 1 already failing, 1 fixed',
    '  pass_rate: 84.6 % < 90.0 %',
    '  1 more case that passes would have it cleared, such as 0b9c1c1e-0000-4000-8000-000000000001',
    '  1 newly failing:',
    '  ✗ good-new  0.00 < 0.50  missing all of 1 value: "30 days"',
    '  1 already failing on main:',
    '  ✗ bad-still  0.00 < 0.50  No.',
    '  1 fixed:',
    '  ✓ bad-fixed  1.00 ≥ 0.50  missing all of 1 value: "30 days"',
    '  3 other cases that did not pass:',
    '  ✗ added  0.00 < 0.50  missing all of 1 value: "30 days"',
    '  ? good-errored  could not be judged: PROVIDER_TIMEOUT',
    '  ~ bad-advisory  advisory: 0.00 < 0.50  missing all of 1 value: "30 days"',
    '  ✓ 11 cases passed',
    '',
  ]);
  const markdown = markdownReport(COMPARED);
  const titles = [...markdown.matchAll(/<details( open)?><summary>(.*)<\/summary>/g)].map(
    ([, open, title]) => [title, open !== undefined],
  );
  expect(titles).toEqual([
    ['1 newly failing', true],
    ['1 already failing on <code>main</code>', false],
    ['1 fixed', false],
    ['3 other cases that did not pass', true],
  ]);
  expect(markdown).toMatch(/\*\*\n\n- against <code>main<\/code>/);
  expect(markdown).toContain(
    '11 of 13 cases passed. The rest: <code>evalgate results run&#95;1 &#45;&#45;failed</code>',
  );
});

test('a missing comparison has its reason, and another bar is named', () => {
  const sentenceOf = (comparison: NonNullable<Report['comparison']>) =>
    textReport({ ...aReport(), comparison }).split('\n')[2];
  expect(sentenceOf(comparedWithBranch('main', 'its runs could not be read'))).toBe(
    '  not compared with main: its runs could not be read',
  );
  expect(sentenceOf(comparedWithBranch('main', { id: 'run_0', isSameBar: false }))).toBe(
    '  against main (run_0, by another bar): 0 newly failing, 0 already failing, 0 fixed',
  );
});

test('weights and samples are shown where they change a figure, and names where they are not the key', () => {
  const weighted = { passed_cases: 20, total_cases: 30, pass_rate: 0.625 };
  const text = textReport(
    aReport(weighted, [
      named('q-1', {
        case_name: 'How long is\nthe window?',
        samples: [{ passed: true }, { passed: false }, { passed: false }],
      }),
      named('return-window', { case_name: 'Return window' }),
    ]),
  );
  expect(text).toContain('aborted by pass_rate (20 of 30 cases, 62.5 % by weight < 90.0 %)');
  expect(text).toContain('✗ q-1 "How long is␊the window?"  1 of 3 samples passed: 0.00 < 0.50');
  expect(text).toContain('✗ return-window  0.00');
});

test('the heading of a run whose suite is gone names the run', () => {
  const { suite: _, ...run } = aReport().run;
  for (const gone of [run, { ...run, suite: null }])
    expect(markdownReport({ ...aReport(), run: gone })).toMatch(/^### ❌ run <code>run&#95;1<\/code>\n/);
});

test('the gravest ten cases are shown with question, expected, answer and calls, of 200 characters and one line each', () => {
  const excerpts = (question: unknown) => ({
    input_excerpt: JSON.stringify(question),
    expected_excerpt: 'x'.repeat(500),
    output_excerpt: 'Never.\nexpected  forged',
    trace_excerpt: 'lookup({}) ∥ erase({"order":"A1"})',
  });
  const many = Array.from({ length: 12 }, (_, at) => named(`c${at}`, { weight: at, ...excerpts({ at }) }));
  const results = [
    ...many,
    named('silent', { must_pass: true }),
    named('good-new', { weight: 0, ...excerpts({ question: 'How long?' }) }),
    named('must', { must_pass: true, weight: 0, ...excerpts({ n: 1 }) }),
    named('passed', { passed: true, ...excerpts({}) }),
    named('advised', { advisory: true, weight: 99, ...excerpts({}) }),
  ];
  const markdown = excerptsMarkdown({ ...COMPARED, results });
  const lines = markdown.split('\n');
  expect(lines[0]).toBe('<details><summary>Question, expected and answer of the 10 gravest cases</summary>');
  expect(lines.slice(3, 14)).toEqual([
    'must',
    '  question  {&quot;n&quot;:1}',
    `  expected  ${'x'.repeat(199)}…`,
    '  answer    Never. expected forged',
    '  calls     lookup({}) ∥ erase({&quot;order&quot;:&quot;A1&quot;})',
    '',

    'good-new',
    '  question  How long?',
    `  expected  ${'x'.repeat(199)}…`,
    '  answer    Never. expected forged',
    '  calls     lookup({}) ∥ erase({&quot;order&quot;:&quot;A1&quot;})',
  ]);
  expect(lines.filter((line) => /^c\d/.test(line))).toEqual([
    'c11',
    'c10',
    'c9',
    'c8',
    'c7',
    'c6',
    'c5',
    'c4',
  ]);
  expect(excerptsMarkdown(aReport())).toBe('');
});

test.each([
  [{ input_excerpt: '{}', output_excerpt: 'a' }, 'Question and answer'],
  [{ input_excerpt: '{}', expected_excerpt: 'e', output_excerpt: 'a' }, 'Question, expected and answer'],
  [{ output_excerpt: 'a', trace_excerpt: 'erase({})' }, 'Answer'],
  [{ trace_excerpt: 'erase({})' }, 'Calls'],
])('excerpts are named by what the run kept: %j', (excerpts, title) => {
  const markdown = excerptsMarkdown(aReport({}, [named('one', excerpts)]));
  expect(markdown).toContain(`<summary>${title} of the gravest case</summary>`);
});

test('a shown text is not cut within a number', () => {
  const reason = `${'x'.repeat(280)} 1234567890 was found`;
  expect(markdownReport(aReport({}, [aResult({ reason })]))).toMatch(/x …/);
});
