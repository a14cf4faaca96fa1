import { shellWord } from '../../../gate/report/escape.ts';
import { resultState } from '../../../gate/report/results.ts';
import type { RunResult } from '../../../sdk/index.ts';
import { FIGURES, filterOf, type View } from './view.ts';

export const jsonLines = (results: readonly RunResult[]): string =>
  results.map((result) => `${JSON.stringify(result)}\n`).join('');

/**
 * A spreadsheet computes what begins like this, in the wide letters of East Asia, too: in a cell, or behind what parts cells
 * in some countries, whatever is quoted.
 */
const FORMULA = /(?:^|(?<=[;\t\r\n]))(?=[=+\-@＝＋－＠\t\r\n])/g;

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = value.replace(FORMULA, "'");
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const COLUMNS: Readonly<Record<string, (result: RunResult) => unknown>> = {
  key: ({ key }) => key,
  case: ({ case_name }) => case_name,
  state: (result) => resultState(result),
  score: ({ score }) => score,
  threshold: ({ threshold }) => threshold,
  reason: ({ reason }) => reason,
  tags: ({ tags }) => tags.join(' '),
  weight: ({ weight }) => weight,
  must_pass: ({ must_pass }) => must_pass,
  latency_ms: ({ metadata }) => FIGURES.latency_ms.of(metadata),
  total_tokens: ({ metadata }) => FIGURES.total_tokens.of(metadata),
  cost_usd: ({ metadata }) => FIGURES.cost_usd.of(metadata),
  input: ({ input_excerpt }) => input_excerpt,
  expected: ({ expected_excerpt }) => expected_excerpt,
  output: ({ output_excerpt }) => output_excerpt,
};

/** With a mark at its begin, by which spreadsheets know its encoding. */
export function csv(results: readonly RunResult[]): string {
  const columns = Object.values(COLUMNS);
  const rows = results.map((result) => columns.map((read) => cell(read(result))));
  return `\ufeff${[Object.keys(COLUMNS), ...rows].map((row) => `${row.join(',')}\r\n`).join('')}`;
}

/** What gives the same in a terminal. */
export function commandOf(run: string, view: View): string {
  const { outcome, ...otherFilters } = filterOf(view);
  if (outcome === 'failed' && Object.keys(otherFilters).length === 0)
    return `evalgate results ${run} --failed`;
  const query = new URLSearchParams(Object.entries(filterOf(view)) as [string, string][]);
  return `evalgate api GET ${shellWord(`/v1/runs/${run}/results?${query}`)}`;
}
