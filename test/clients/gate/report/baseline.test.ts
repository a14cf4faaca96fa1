import { expect, test } from '@jest/globals';
import { annotations, stepOutputs } from '../../../../clients/gate/report/annotations.ts';
import { junitReport } from '../../../../clients/gate/report/formats/junit.ts';
import { markdownReport } from '../../../../clients/gate/report/markdown.ts';
import {
  type Compared,
  comparedWithBaseline,
  comparedWords,
  worseWords,
} from '../../../../clients/gate/report/review/baseline.ts';
import { textReport } from '../../../../clients/gate/report/text.ts';
import type { Report, ReportedResult } from '../../../../clients/gate/report/types.ts';
import { written } from '../../../../clients/gate/report/words.ts';
import { aCompared, comparedRun, NOW_MS } from './compared.ts';
import { aReport, aResult } from './reports.ts';

const named = (key: string, fields: Partial<ReportedResult> = {}) =>
  aResult({ key, case_id: key, case_name: key, ...fields });
const texts = (found: Compared) =>
  comparedWords(found, NOW_MS).map((words) => written(words, (text) => text));
const KEYS = ['a', 'b', 'c'];

function reportOf(found: Compared | undefined, results: readonly ReportedResult[], run: object = {}): Report {
  const comparison = comparedRun(KEYS);
  return {
    ...aReport({ failed_cases: results.filter(({ passed }) => !passed).length, comparison, ...run }, results),
    comparison: comparedWithBaseline({ comparison }, results, found, NOW_MS),
  };
}

test('one plain sentence has the result of the test, the next one the age of the baseline', () => {
  expect(texts(aCompared({ failing: KEYS }))).toEqual([
    '3 of 100 compared cases are newly failing: by chance alone that happens in 6 of 100 comparisons (p = 0.0625)',
    'against the baseline accepted 12 days ago (run_0)',
  ]);
});

test.each([
  [
    { compared: 100, newly_failing: 1, newly_passing: 2, p: 0.875 },
    '1 of 100 compared cases is newly failing and 2 newly passing: by chance alone that happens in 88 of 100 comparisons (p = 0.875)',
  ],
  [
    { compared: 100, newly_failing: 9, p: 0.00195 },
    '9 of 100 compared cases are newly failing: by chance alone that happens in 2 of 1,000 comparisons (p = 0.00195)',
  ],
  [
    { compared: 500, newly_failing: 40, p: 1e-12 },
    '40 of 500 compared cases are newly failing: by chance alone that happens in less than 1 of 1,000 comparisons (p = 1e-12)',
  ],
  [
    { compared: 1, newly_failing: 1, newly_passing: 0, p: 0.999 },
    '1 of 1 compared case is newly failing: by chance alone that happens in more than 99 of 100 comparisons (p = 0.999)',
  ],
  [
    { compared: 20, newly_failing: 0, newly_passing: 2, p: 0.9 },
    'none of 20 compared cases is newly failing, 2 newly passing',
  ],
  [{ compared: 0, newly_failing: 0, p: 1 }, 'no case can be compared'],
  [{ newly_failing: 0, p: 1 }, 'no case is newly failing'],
])('%j is put into words', (worse, sentence) => {
  expect(worseWords(worse).own).toEqual([sentence]);
});

test('a comparison of too few cases names the share that is compared, and notices follow', () => {
  const message = 'Cases were judged by another model.';
  const found = aCompared({}, { comparable: false, coverage: 0.71, notices: [{ code: 'X', message }] });
  expect(texts(found).slice(2)).toEqual([
    'not comparable: only 71.0 % of the weight is compared',
    `note: ${message}`,
  ]);
});

const RESULTS = [
  named('old'),
  named('gone', { advisory: true }),
  named('d', { passed: true, score: 1 }),
  ...KEYS.map((key) => named(key)),
];
const found = aCompared({ failing: KEYS, passing: ['d'] });

test('newly failing cases come first, then those that failed in the baseline, then fixed ones: one list', () => {
  const report = reportOf(found, RESULTS);
  const titles = [...markdownReport(report).matchAll(/<summary>(.*)<\/summary>/g)].map(([, title]) => title);
  expect(titles.slice(0, 3)).toEqual(['3 newly failing', '1 already failing in the baseline', '1 fixed']);
  const text = textReport(report).split('\n');
  expect(text.indexOf('  3 newly failing:')).toBeLessThan(
    text.indexOf('  1 already failing in the baseline:'),
  );
  expect(annotations(report).split('\n')[1]).toContain('title=a::');
});

test('a case that no list is sure to hold is not reported as failing before', () => {
  const cut = { ...found, counts: { ...found.counts, newly_failing: 150, added: 101 } };
  const report = reportOf(cut, RESULTS, { comparison: comparedRun(KEYS, 150) });
  const whole = { ...report, comparison: comparedWithBaseline(report.run, RESULTS, cut, NOW_MS) };
  const text = textReport(whole);
  expect(text).toContain('  150 newly failing:');
  expect(text).not.toContain('already failing');
  expect(text).not.toContain('other case');
});

test('where the service has no details, the fields of the run are reported, and that they are not all', () => {
  const report = reportOf(undefined, RESULTS);
  expect(report.comparison?.sentences.map(({ own }) => own.join(''))).toEqual([
    '3 cases are newly failing: by chance alone that happens in 6 of 100 comparisons (p = 0.0625)',
    'the rest of the comparison with the baseline could not be read',
  ]);
  expect(textReport(report)).toContain('  3 newly failing:');
});

test('a baseline that could not be read is never reported as nothing got worse', () => {
  const comparison = { ...comparedRun([]), p_value: 1, difference: 0, comparable: false };
  const { sentences = [] } = comparedWithBaseline({ comparison }, RESULTS, undefined) ?? {};
  expect(sentences.map(({ own }) => own.join(''))).toEqual([
    'not comparable with the baseline',
    'the rest of the comparison with the baseline could not be read',
  ]);
});

test('an approximate p-value is marked as such', () => {
  const approximate = { ...found, test: { ...found.test, p_value_exact: null } };
  expect(textReport(reportOf(approximate, RESULTS))).toContain('(p ≈ 0.0625)');
  expect(textReport(reportOf(found, RESULTS))).toContain('(p = 0.0625)');
});

test('a run without a baseline is compared with none', () => {
  expect(comparedWithBaseline({ comparison: null }, RESULTS, undefined)).toBe(undefined);
});

const WAIVER = {
  id: 'w',
  run_id: 'run_1',
  suite_digest: 'd',
  outputs_digest: 'd',
  reason: 'Requested by @octocat.',

  waived_by: { type: 'api_key' as const, key_id: 'k1', label: 'Alice' },
  created_at: '2026-11-26T12:00:00Z',
  expires_at: '2026-12-03T12:00:00Z',
  active: true,
};
const LINE = 'aborted, waived by API key Alice until 2026-12-03T12:00:00Z: Requested by @octocat.';

test('a waived run stays aborted in all reports, and they say who waived it until when and why', () => {
  const report = aReport({ waiver: WAIVER });
  expect(textReport(report)).toContain(`\n  ${LINE}\n`);
  expect(markdownReport(report)).toContain('❌');
  expect(markdownReport(report)).toMatch(
    /\n- aborted, waived by API key <code>Alice<\/code> until .*octocat/,
  );
  expect(annotations(report)).toMatch(/^::warning title=evalgate%3A returns::aborted by pass_rate/);
  expect(stepOutputs(report, '#')).toContain('waived<<#\ntrue\n#\n');
  expect(junitReport(report)).toContain(`<property name="waiver" value="${LINE}"/>`);
});

test.each([
  ['aborted', undefined, '❌'],
  ['aborted', true, '⚠️'],
  ['aborted', false, '❌'],
  ['inconclusive', true, '⚠️'],
  ['inconclusive', false, '❌'],
  ['cleared', true, '✅'],
] as const)(
  'the heading of a run that is %s shows what comes of it: passes %p, %s',
  (state, passes, mark) => {
    const status = state === 'cleared' ? 'cleared' : 'aborted';
    const report = aReport({ status, inconclusive: state === 'inconclusive', waiver: WAIVER });
    expect(markdownReport(report, passes)).toMatch(new RegExp(`^### ${mark} .*evalgate`));
  },
);

test('the end of a waiver is printed without milliseconds', () => {
  const waiver = { ...WAIVER, expires_at: '2026-12-03T12:00:00.000Z' };
  expect(textReport(aReport({ waiver }))).toContain(`\n  ${LINE}\n`);
});

test.each([
  ['expired', { waiver: { ...WAIVER, active: false } }],
  ['inconclusive', { waiver: WAIVER, inconclusive: true }],
  ['cleared', { waiver: WAIVER, status: 'cleared' as const }],
  ['pending', { waiver: WAIVER, status: 'pending' as const }],
])('a waiver of an %s run waives nothing', (_state, run) => {
  const report = aReport(run);
  expect(textReport(report)).not.toContain('waived');
  expect(stepOutputs(report, '#')).toContain('waived<<#\nfalse\n#\n');
});

test('JUnit has what was compared as properties of the verdict', () => {
  const xml = junitReport(reportOf(found, RESULTS));
  expect(xml).toContain('<property name="baseline-id" value="b1"/>');
  expect(xml).toContain('<property name="newly-failing" value="3"/>');
  expect(xml).toContain('<property name="p-value" value="0.0625"/>');
  expect(junitReport(aReport())).not.toContain('properties');
});

test('a commit that was judged again until it cleared is noticed in every report', () => {
  const message =
    'This suite has judged the commit 1f2e 3 times with this run, and the first run was aborted.';
  const report = aReport({ notices: [{ code: 'RETRIED', message, runs: 3, first: 'aborted' }] });
  for (const text of [textReport(report), annotations(report), junitReport(report)])
    expect(text).toContain(message);
  expect(markdownReport(report)).toContain('- note: ');
});
