import { expect, test } from '@jest/globals';
import { annotations, stepOutputs } from '../../../../clients/gate/report/annotations.ts';
import { ctrfReport } from '../../../../clients/gate/report/formats/ctrf.ts';
import { junitReport } from '../../../../clients/gate/report/formats/junit.ts';
import { otelReport } from '../../../../clients/gate/report/formats/otel.ts';
import { markdownReport } from '../../../../clients/gate/report/markdown.ts';
import { comparedScores, comparedShares, share } from '../../../../clients/gate/report/numbers.ts';
import { runPage } from '../../../../clients/gate/report/pages.ts';
import { textReport } from '../../../../clients/gate/report/text.ts';
import { stateOf } from '../../../../clients/gate/report/types.ts';
import { aReport, aResult } from './reports.ts';

const MUST_PASS = aReport(
  {
    pass_rate: 0.95,
    total_cases: 20,
    passed_cases: 19,
    failed_cases: 1,
    missing_cases: 1,
    advisory_cases: 2,
    advisory_failed_cases: 1,
    surplus_outputs: 2,
    surplus: ['typo', 'old'],
    notices: [{ code: 'ADVISORY_EXPIRING', message: 'The case tone gates again from 2027-01-01 on.' }],
    verdict: {
      gates: [
        { gate: 'pass_rate', status: 'passed', observed: 0.95, required: 0.9 },
        { gate: 'must_pass', status: 'failed', observed: 1, required: 0, cases: ['return-window'] },
        { gate: 'tag:safety', status: 'inconclusive', observed: 1, required: 1, reason: '1 of 3 cases' },
      ],
      decided_by: ['must_pass', 'tag:safety'],
      confidence: { level: 0.95, method: 'wilson', lower: 0.5, upper: 0.99, effective_cases: 20 },
      flips: { to: 'cleared', cases: 2, exact: false, case_ids: [aResult().case_id] },
    },
  },
  [
    aResult({ key: 'fine', case_name: 'fine', passed: true, score: 1 }),
    aResult({ key: 'tone', case_name: 'tone', advisory: true }),
    aResult({ key: 'judge', case_name: 'judge', errored: true, reason: 'BYOK_KEY_REJECTED' }),
    aResult({ key: 'other', case_name: 'other' }),
    aResult({ must_pass: true }),
  ],
);

test('the text leads with what decided, then what would flip it, then the rest', () => {
  expect(textReport(MUST_PASS).split('\n')).toEqual([
    'returns  support-bot  run_1  4.1 s',
    'aborted by must_pass, tag:safety (pass rate 95.0 % ≥ 90.0 %)',
    '  must_pass: 1 case that must pass did not: return-window',
    '  tag:safety: 100.0 % ≥ 100.0 % (inconclusive: 1 of 3 cases)',
    '  at most 2 more cases that pass would have it cleared, such as return-window, 1 more',
    '  missing: 1 case had no output, or none with its trace, and failed',
    "  advisory: 1 of 2 cases failed; they don't count",
    '  surplus: 2 outputs of unknown or inactive cases: typo, old',
    '  note: The case tone gates again from 2027-01-01 on.',
    '  ✗ return-window (must pass)  0.00 < 0.50  missing all of 1 value: "30 days"',
    '  ✗ other  0.00 < 0.50  missing all of 1 value: "30 days"',
    '  ? judge  could not be judged: BYOK_KEY_REJECTED',
    '  ~ tone  advisory: 0.00 < 0.50  missing all of 1 value: "30 days"',
    '  ✓ 19 cases passed',
    '',
  ]);
});

test('a gate of a tag whose figure weights change shows how many of its cases passed', () => {
  const results = [
    aResult({ key: 'a', passed: true, tags: ['safety'], weight: 5 }),
    aResult({ key: 'b', passed: true, tags: ['safety'], weight: 1, case_id: 'b' }),
    aResult({ key: 'c', tags: ['safety'], weight: 4, case_id: 'c' }),
    aResult({ key: 'd', tags: ['safety'], weight: 9, case_id: 'd', advisory: true }),
    aResult({ key: 'e', tags: ['other'], case_id: 'e' }),
  ];
  const { verdict } = aReport().run;
  const gates = [{ gate: 'tag:safety', status: 'failed' as const, observed: 0.6, required: 0.9 }];
  const report = aReport({ verdict: { ...verdict!, gates, decided_by: ['tag:safety'] } }, results);
  expect(textReport(report)).toContain('\n  tag:safety: 2 of 3 cases, 60.0 % by weight < 90.0 %\n');
  expect(textReport({ ...report, isComplete: false })).toContain('\n  tag:safety: 60.0 % < 90.0 %\n');
  const equal = aReport({ verdict: { ...verdict!, gates: [{ ...gates[0]!, observed: 2 / 3 }] } }, results);
  expect(textReport(equal)).toContain('\n  tag:safety: 66.7 % < 90.0 %\n');
});

test('text and Markdown lead to the page of the run, where there is one', () => {
  const page = runPage('https://gate.example.com/x', 'run_1');
  expect(page).toBe('https://gate.example.com/x/app/runs/run_1');
  const report = { ...aReport(), page };
  expect(textReport(report)).toMatch(new RegExp(`\\n  ${page}\\n$`));
  expect(markdownReport(report)).toContain(`[See the run](<${page}>). 11 of 13 cases passed.`);
  expect(stepOutputs(report, 'END')).toContain(`run-url<<END\n${page}\nEND\n`);
  for (const text of [textReport(aReport()), markdownReport(aReport())]) expect(text).not.toContain('/app/');
});

test('every format names what decided', () => {
  expect(markdownReport(MUST_PASS)).toContain('**aborted by <code>must&#95;pass</code>');
  expect(junitReport(MUST_PASS)).toMatch(
    /<testcase name="verdict"[^>]*>\s*<failure message="aborted by must_pass/,
  );
  expect(annotations(MUST_PASS)).toMatch(/^::error title=evalgate%3A returns::aborted by must_pass/);
});

test('annotations and JUnit name the place of a case in a file, and nothing where it is in none', () => {
  const results = [aResult(), aResult({ key: 'other' }), aResult({ key: 'fine', passed: true })];
  const places = new Map(
    ['return-window', 'fine'].map((key, index) => [key, { file: 'evals/a,b:c.suite.yaml', line: 7 + index }]),
  );
  const report = { ...aReport({}, results), places };
  expect(annotations(report).split('\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^::error title=return-window,file=evals\/a%2Cb%3Ac\.suite\.yaml,line=7::0\.00/),
    expect.stringMatching(/^::error title=other::/),
  ]);
  const junit = junitReport(report);
  expect(junit).toMatch(/<testcase name="return-window"[^>]* file="evals\/a,b:c\.suite\.yaml" line="7">/);
  expect(junit).toMatch(/<testcase name="fine"[^>]* file="[^"]*" line="8"\/>/);
  expect(junit).toMatch(/<testcase name="other"[^>]* time="0\.003">/);
});

test('only an aborted run that is not inconclusive is aborted by verdict', () => {
  const states = [
    ['cleared', false],
    ['aborted', false],
    ['aborted', true],
    ['aborted', undefined],
    ['pending', false],
    ['held', false],
  ].map(([status, inconclusive]) => stateOf({ status, inconclusive } as never));
  expect(states).toEqual(['cleared', 'aborted', 'inconclusive', 'inconclusive', 'pending', 'unknown']);
});

test('no figure is rounded to what it is compared with', () => {
  expect(comparedShares(0.89996, 0.9)).toBe('89.996 % < 90.000 %');
  expect(comparedShares(0.9, 0.9)).toBe('90.0 % ≥ 90.0 %');
  expect(comparedScores(0.499, 0.5)).toBe('0.499 < 0.500');
  expect([share(0.99999), share(1), share(0), share(0.00001)]).toEqual([
    '99.999 %',
    '100.0 %',
    '0.0 %',
    '0.001 %',
  ]);
});

test('a report of 10,000 failed cases fits into a comment', () => {
  const reason = '<&"\u0001'.repeat(500);
  const results = Array.from({ length: 10_000 }, () => aResult({ reason }));
  const markdown = markdownReport(aReport({ failed_cases: 10_000 }, results));
  expect(markdown.length).toBeLessThan(60_000);
  expect(markdown).toMatch(/and 9,?9\d\d cases more/);
});

test('JUnit holds only what viewers agree on: names, classes, times, counts, messages and bodies', () => {
  const attributes = [...junitReport(MUST_PASS).matchAll(/<(\w+)((?: \w+="[^"]*")*)/g)].map(
    ([, element, pairs = '']) =>
      [element, ...[...pairs.matchAll(/ (\w+)=/g)].map(([, name]) => name)].join(' '),
  );
  expect(new Set(attributes)).toEqual(
    new Set([
      'testsuites name time',
      'testsuite name tests failures errors skipped',
      'testcase name classname time',
      'failure message',
      'error message',
      'skipped message',
    ]),
  );
});

test('a case without the trace that it needs is missing, and is not reported to have no output', () => {
  const reason = 'the output came without its trace: send `trace` or `messages` with it';
  const lines = textReport(aReport({}, [aResult({ missing: true, reason })])).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/– .* missing: the output came without its trace/));
  expect(lines.join()).not.toContain('no output:');
});

test('JUnit and CTRF show the calls of a failed case as far as the run kept them', () => {
  const kept = aReport({}, [aResult({ output_excerpt: 'Done.', trace_excerpt: 'erase({"order":"<A1>"})' })]);
  expect(junitReport(kept)).toContain(
    'output: Done.\ntrace: erase({&quot;order&quot;:&quot;&lt;A1&gt;&quot;})</failure>',
  );
  const { results } = JSON.parse(ctrfReport(kept));
  expect(results.tests[1].trace).toMatch(/\ntrace: erase\(.*<A1>/);
  expect(junitReport(MUST_PASS)).not.toContain('trace:');
});

test('CTRF has the verdict and each result as a test, and what could not be judged as other', () => {
  const report = aReport({ created_at: '2027-01-01T00:00:00.000Z' }, [
    ...MUST_PASS.results,
    aResult({ key: 'none', case_name: 'none', missing: true }),
  ]);
  const places = new Map([['fine', { file: 'evals/a.suite.yaml', line: 8 }]]);
  const { results, ...head } = JSON.parse(ctrfReport({ ...report, places }));
  expect(head).toEqual({ reportFormat: 'CTRF', specVersion: '0.1.0', generatedBy: 'evalgate' });
  const start = Date.parse('2027-01-01T00:00:00.000Z');
  expect(results.summary).toEqual({
    tests: 7,
    passed: 1,
    failed: 4,
    skipped: 1,
    pending: 0,
    other: 1,
    start,
    stop: start + 4_100,
    duration: 4_100,
  });
  expect(results.tests.map(({ name, status }: Record<string, string>) => `${name} ${status}`)).toEqual([
    'verdict failed',
    'fine passed',
    'tone skipped',
    'judge other',
    'other failed',
    'return-window failed',
    'none failed',
  ]);
  expect(results.tests[1]).toEqual({
    id: aResult().case_id,
    name: 'fine',
    status: 'passed',
    duration: 3,
    suite: ['support-bot.returns'],
    filePath: 'evals/a.suite.yaml',
    line: 8,
    rawStatus: 'passed',
    tags: [],
    extra: { score: 1, threshold: 0.5 },
  });
});

test('OTLP has an event for each result, with a score unless it could not be judged', () => {
  const { resourceLogs } = JSON.parse(otelReport(MUST_PASS));
  const { logRecords } = resourceLogs[0].scopeLogs[0];
  const said = logRecords.map(
    ({ eventName, attributes }: { eventName: string; attributes: { key: string; value: object }[] }) => {
      expect(eventName).toBe('gen_ai.evaluation.result');
      return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    },
  );
  expect(
    said.map((one: Record<string, unknown>) => [
      one['evalgate.case.key'],
      one['gen_ai.evaluation.score.label'],
      one['gen_ai.evaluation.score.value'],
      one['error.type'],
    ]),
  ).toEqual([
    ['fine', 'pass', 1, undefined],
    ['tone', 'advisory', 0, undefined],
    ['judge', 'errored', undefined, 'error'],
    ['other', 'fail', 0, undefined],
    ['return-window', 'fail', 0, undefined],
  ]);
  expect(said[0]['gen_ai.evaluation.name']).toBe('returns');
});
