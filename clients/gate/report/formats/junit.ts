import { xmlAttribute, xmlText } from '../escape.ts';
import { explanation, labelOf, resultState } from '../results.ts';
import { waiverOf, waiverWords } from '../review/waiver.ts';
import { hiddenSentence, summaryOf } from '../summary.ts';
import type { CasePlace, Report, ReportedResult } from '../types.ts';
import { type Words, written } from '../words.ts';

/** What viewers agree on: name, class, time, a message and a body; some open the file. */
export interface TestCase {
  readonly name: string;
  readonly className: string;
  readonly ms?: number | undefined;
  /** Undefined for the verdict. */
  readonly result?: ReportedResult | undefined;
  readonly problem?: Problem | undefined;
  readonly place?: CasePlace | undefined;
}

interface Problem {
  readonly element: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly body: string;
}

/** JUnit XML: the gates of the verdict first, then one test case for each result. */
export function junitReport(report: Report): string {
  const { run } = report;
  const { suite, verdict, cases } = testsOf(report);
  const properties = propertiesElement(report);
  const suites = [suiteElement(`${suite}: verdict`, verdict, properties), suiteElement(suite, cases)];
  const name = `name="${xmlAttribute(`evalgate ${run.id}`)}" time="${timeOf(run.duration_ms)}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${name}>\n${suites.join('')}</testsuites>\n`;
}

/** The run as tests: of its verdict, and one for each result. */
export function testsOf(report: Report) {
  const { run, results, places } = report;
  const suite = run.suite ? `${run.suite.project_slug}.${run.suite.slug}` : (run.suite_digest ?? run.id);
  const cases = results.map((result) => resultCase(result, suite, places?.get(result.key)));
  return { suite, verdict: verdictCases(report, `${suite}.verdict`), cases };
}

const timeOf = (ms: number): string => (ms / 1_000).toFixed(3);
const raw = (words: Words): string => written(words, (text) => text);

function verdictCases(report: Report, className: string): TestCase[] {
  const { state, headline, facts, notices } = summaryOf(report);
  const body = [...facts, ...notices].map(raw).join('\n');
  const element = state === 'aborted' ? 'failure' : 'error';
  const problem: Problem | undefined =
    state === 'cleared' ? undefined : { element, message: raw(headline), body };
  return [{ name: 'verdict', className, ms: report.run.duration_ms, problem }];
}

function resultCase(result: ReportedResult, className: string, place?: CasePlace): TestCase {
  const problem = problemOf(result);
  return { name: labelOf(result), className, ms: result.duration_ms, result, problem, place };
}

function problemOf(result: ReportedResult): Problem | undefined {
  const message = explanation(result);
  const body = [
    ['input', result.input_excerpt],
    ['expected', result.expected_excerpt],
    ['output', result.output_excerpt],
    ['trace', result.trace_excerpt],
  ]
    .filter(([, text]) => text != null)
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
  switch (resultState(result)) {
    case 'passed':
      return undefined;
    case 'advisory':
      return { element: 'skipped', message: `advisory: ${message}`, body };
    case 'errored':
      return { element: 'error', message, body };
    default:
      return { element: 'failure', message, body };
  }
}

/** Empty where nothing was compared, waived or hidden. */
function propertiesElement({ run, areHidden }: Report): string {
  const { comparison } = run;
  const waiver = waiverOf(run);
  const properties = {
    ...(comparison && {
      'baseline-id': comparison.baseline_id,
      'newly-failing': String(comparison.newly_failing_count),
      'p-value': String(comparison.p_value),
      comparable: String(comparison.comparable),
    }),
    ...(waiver && { waiver: raw(waiverWords(waiver)) }),
    ...(areHidden && { 'results-hidden': hiddenSentence(run) }),
  };
  const lines = Object.entries(properties).map(
    ([name, value]) => `      <property name="${name}" value="${xmlAttribute(value)}"/>\n`,
  );
  return lines.length === 0 ? '' : `    <properties>\n${lines.join('')}    </properties>\n`;
}

function suiteElement(name: string, cases: readonly TestCase[], properties = ''): string {
  const count = (element: Problem['element']): number =>
    cases.filter(({ problem }) => problem?.element === element).length;
  const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return `  <testsuite name="${xmlAttribute(name)}" ${counts}>\n${properties}${cases.map(caseElement).join('')}  </testsuite>\n`;
}

function caseElement({ name, className, ms = 0, problem, place }: TestCase): string {
  const location = place === undefined ? '' : ` file="${xmlAttribute(place.file)}" line="${place.line}"`;
  const head = `    <testcase name="${xmlAttribute(name)}" classname="${xmlAttribute(className)}" time="${timeOf(ms)}"${location}`;
  if (problem === undefined) return `${head}/>\n`;
  const { element, message, body } = problem;
  const inner = `<${element} message="${xmlAttribute(message)}">${xmlText(body)}</${element}>`;
  return `${head}>\n      ${inner}\n    </testcase>\n`;
}
