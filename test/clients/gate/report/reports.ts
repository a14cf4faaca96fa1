import fc from 'fast-check';
import { Lexer, marked, type Token } from 'marked';
import { CHANGES } from '../../../../clients/gate/report/review/changes.ts';
import type { Report, ReportedResult } from '../../../../clients/gate/report/types.ts';
import { outcomeOf, traceOf } from '../../../shared/scoring/trajectory/scoring.ts';
import { hostileComparison } from './compared.ts';

const ID = '0b9c1c1e-0000-4000-8000-00000000000';

export const aResult = (fields: Partial<ReportedResult> = {}): ReportedResult => ({
  case_id: `${ID}1`,
  case_name: 'Return window',
  key: 'return-window',
  passed: false,
  score: 0,
  threshold: 0.5,
  reason: 'missing all of 1 value: "30 days"',
  missing: false,
  advisory: false,
  errored: false,
  must_pass: false,
  duration_ms: 3,
  ...fields,
});

export function aReport(
  run: Partial<Report['run']> = {},
  results: readonly ReportedResult[] = [aResult()],
): Report {
  return {
    run: {
      id: 'run_1',
      status: 'aborted',
      pass_rate: 0.846153846154,
      total_cases: 13,
      passed_cases: 11,
      failed_cases: 2,
      errored_cases: 1,
      inconclusive: false,
      suite_digest: null,
      outputs_digest: null,
      judge_usage: null,
      missing_cases: 0,
      advisory_cases: 0,
      advisory_failed_cases: 0,
      surplus_outputs: 0,
      surplus: [],
      pass_threshold: 0.9,
      notices: [],
      baseline_id: null,
      comparison: null,
      waiver: null,
      duration_ms: 4_100,
      suite: { slug: 'returns', name: 'Returns', project_slug: 'support-bot' },
      verdict: {
        gates: [{ gate: 'pass_rate', status: 'failed', observed: 0.846153846154, required: 0.9 }],
        decided_by: ['pass_rate'],
        confidence: { level: 0.95, method: 'wilson', lower: 0.57, upper: 0.95, effective_cases: 13 },
        flips: { to: 'cleared', cases: 1, exact: true, case_ids: [`${ID}1`] },
      },
      ...run,
    },
    results,
    isComplete: true,
  };
}

const FRAGMENTS = [
  '![x](https://evil.example/a.png)',
  '[click](javascript:alert(1))',
  '<img src=x onerror=alert(1)>',
  '</pre></details></code>',
  '<script>alert(1)</script>',
  '<!-- evalgate -->',
  '-->',
  ']]>',
  '@octocat',
  'mail me@evil.example now',
  'https://evil.example/',
  'www.evil.example',
  '#1',
  'octo/repo#1',
  '|',
  '`',
  '```\n',
  '\n\n# Heading\n\n',
  '\n- item\n',
  '[a]: https://evil.example\n',
  '&#60;b&#62;',
  '\\',
  '*_~',
  '\n::add-mask::a',
  '\r::stop-commands::x',
  '::error file=a,line=1::b',
  ' ##[error]c',
  '###[group]',
  '%0A::warning::d',
  '%25',
  '\u001b[31mred\u001b[0m',
  '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  '\u009b2J',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u2066',
  '\u0000',
  '\u0008',
  '\u007f',
  '\ud800',
  '\udc00',
  '\ufffe',
  '\uffff',
  '\u{e0041}',
  '"\'<>&',
  '😀é漢字',
  'word',
];

/** What models and strangers write. */
export const hostileText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string({ unit: 'binary' })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

/** Names of tools, as models write them: of the longest, too. */
const hostileTool = fc
  .oneof(
    hostileText,
    fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'),
    hostileText.map((text) => text.repeat(256)),
  )
  .map((text) => text.slice(0, 256).toWellFormed() || 'word');

const nameOf = (tool = ''): string => `${tool.replaceAll('*', '')}x`.slice(-256).toWellFormed();

/** What the service says of an agent that called them. */
const hostileReason = fc.array(hostileTool, { minLength: 1, maxLength: 5 }).map((tools) => {
  const [forbidden = '', ...others] = tools;
  const config = { calls: [{ tool: nameOf(others[0]) }], forbidden: [forbidden] };
  const calls = tools.map((tool) => ({ type: 'call', tool, arguments: { [tool]: tool } }));
  return outcomeOf(config, traceOf(calls)).reason;
});

const number = fc.constantFrom(0, 0.3, 0.5, 1);

const hostileResult = fc
  .record({
    case_name: hostileText,
    key: hostileText,
    reason: fc.oneof(hostileText, hostileReason),
    passed: fc.boolean(),
    missing: fc.boolean(),
    errored: fc.boolean(),
    advisory: fc.boolean(),
    must_pass: fc.boolean(),
    score: number,
    input_excerpt: hostileText,
    expected_excerpt: hostileText,
    output_excerpt: hostileText,
    trace_excerpt: hostileText,
  })
  .map((fields) =>
    aResult({ ...fields, case_id: fields.key, samples: [{ passed: true }, { passed: false }] }),
  );

/** A run whose every foreign text is hostile. */
export const hostileReport = fc
  .record({
    status: fc.constantFrom('cleared', 'aborted', 'pending') as fc.Arbitrary<'cleared'>,
    inconclusive: fc.boolean(),
    id: hostileText,
    slug: hostileText,
    gate: hostileText,
    gateReason: hostileText,
    gateCase: hostileText,
    surplus: fc.array(hostileText, { minLength: 1, maxLength: 3 }),
    notice: hostileText,
    results: fc.array(hostileResult, { maxLength: 5 }),
    file: fc.option(hostileText),
    branch: hostileText,
    change: fc.constantFrom(...CHANGES),
  })
  .map(({ status, inconclusive, id, slug, gate, gateReason, gateCase, ...more }) => {
    const { surplus, notice, results, file, branch, change } = more;
    return {
      ...aReport(
        {
          id,
          status,
          inconclusive,
          surplus,
          surplus_outputs: surplus.length,
          missing_cases: 1,
          advisory_cases: 2,
          suite: { slug, name: slug, project_slug: slug },
          waiver: {
            id,
            run_id: id,
            suite_digest: id,
            outputs_digest: id,
            reason: gateReason,
            active: true,

            waived_by: { type: 'api_key', key_id: id, label: notice },
            created_at: id,
            expires_at: slug,
          },
          notices: [{ code: 'ADVISORY_EXPIRING', message: notice }],
          verdict: {
            gates: [
              { gate: 'must_pass', status: 'failed', observed: 2, required: 0, cases: [gateCase] },
              { gate, status: 'inconclusive', observed: 0.5, required: 0.9, reason: gateReason },
            ],
            decided_by: ['must_pass', gate],
            confidence: { level: 0.95, method: 'wilson', lower: 0.5, upper: 0.9, effective_cases: 3 },
            flips: { to: 'cleared', cases: 2, exact: false, case_ids: [gateCase] },
          },
        },
        results,
      ),
      ...(file !== null && { places: new Map(results.map(({ key }) => [key, { file, line: 7 }])) }),
      comparison: hostileComparison({ text: branch, results, change }),
    };
  });

/** What no terminal, page or log may get of a foreign text. */
export const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/u;

/** All tokens of a Markdown text, as GitHub reads it. */
export function tokensOf(markdown: string): Token[] {
  const all: Token[] = [];
  void marked.walkTokens(Lexer.lex(markdown, { gfm: true }), (token) => void all.push(token));
  return all;
}
