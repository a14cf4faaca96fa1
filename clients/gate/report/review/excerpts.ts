import { markdownBlock } from '../escape.ts';
import { counted } from '../numbers.ts';
import { oneLine, shortened, titleOf } from '../results.ts';
import type { Report, ReportedResult } from '../types.ts';

const CASES_MAX = 10;
const TEXT_MAX = 200;

/** What the gravest cases were asked, what they expect and got, folded; empty where the run kept nothing of it. */
export function excerptsMarkdown({ results, comparison }: Report): string {
  const rank = ({ must_pass, case_id }: ReportedResult): number =>
    (must_pass === true ? 0 : 2) + (comparison?.changes.get(case_id) === 'newly failing' ? 0 : 1);
  const gravest = results
    .filter(({ passed, advisory }) => !passed && !advisory)
    .toSorted((one, other) => rank(one) - rank(other) || (other.weight ?? 1) - (one.weight ?? 1))
    .map((result) => ({ result, lines: linesOf(result) }))
    .filter(({ lines }) => lines.length > 0)
    .slice(0, CASES_MAX);
  if (gravest.length === 0) return '';
  const text = gravest
    .map(({ result, lines }) => [oneLine(titleOf(result)), ...lines].join('\n'))
    .join('\n\n');
  const title = `${partsOf(gravest.map(({ result }) => result))} of ${gravest.length === 1 ? 'the gravest case' : `the ${counted(gravest.length, 'gravest case')}`}`;
  return `<details><summary>${title}</summary>\n\n${markdownBlock(text)}\n\n</details>`;
}

/** What the run kept of any of them: `Question, expected and answer`. */
function partsOf(results: readonly ReportedResult[]): string {
  const parts = [
    ['question', 'input_excerpt'],
    ['expected', 'expected_excerpt'],
    ['answer', 'output_excerpt'],
    ['calls', 'trace_excerpt'],
  ] as const;
  const kept = parts.filter(([, field]) => results.some((result) => result[field] != null));
  // Calls stand beside an answer: alone they are named.
  const names = kept.map(([name]) => name).filter((name, _, all) => name !== 'calls' || all.length === 1);
  const text = names.join(', ').replace(/, (?!.*, )/, ' and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A line break of a text would look like the begin of another one. */
function linesOf(result: ReportedResult): string[] {
  const { input_excerpt, expected_excerpt, output_excerpt, trace_excerpt } = result;
  const texts = [
    ['question', input_excerpt == null ? undefined : questionIn(input_excerpt)],
    ['expected', expected_excerpt],
    ['answer  ', output_excerpt],
    ['calls   ', trace_excerpt],
  ] as const;
  return texts.flatMap(([name, text]) =>
    text == null ? [] : [`  ${name}  ${shortened(oneLine(text), TEXT_MAX)}`],
  );
}

/** An input that is one text: that text. */
function questionIn(input: string): string {
  try {
    const [only, ...otherValues] = Object.values(JSON.parse(input) as object);
    return typeof only === 'string' && otherValues.length === 0 ? only : input;
  } catch {
    return input;
  }
}
