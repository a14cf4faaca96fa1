import type { ApiAnswer } from '../../support/api.ts';
import { addWordCases, type Gate, makeGate } from '../runs/gate.ts';

const WORDS = ['one', 'two', 'three', 'four'];

export interface BaselineGate {
  readonly gate: Gate;
  accept(runIds: readonly string[], fields?: object): Promise<ApiAnswer>;
  current(): Promise<ApiAnswer>;
  listed(query?: string): Promise<ApiAnswer>;
  remove(): Promise<ApiAnswer>;
  comparison(runId: string, query?: string): Promise<ApiAnswer>;
}

/** A suite with a case for each word, which passes where the output says the word. */
export async function makeBaselineGate(
  url: string,
  suiteFields: Readonly<Record<string, unknown>> = {},
  { words = WORDS, as }: { words?: readonly string[]; as?: Gate['client'] } = {},
): Promise<BaselineGate> {
  const gate = await makeGate(url, suiteFields, as);
  await addWordCases(gate, words);
  const { client, suite } = gate;
  return {
    gate,
    accept: (run_ids, fields) => client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids, ...fields }),
    current: () => client('GET', `/v1/suites/${suite.id}/baseline`),
    listed: (query = '') => client('GET', `/v1/suites/${suite.id}/baselines${query}`),
    remove: () => client('DELETE', `/v1/suites/${suite.id}/baseline`),
    comparison: (runId, query = '') => client('GET', `/v1/runs/${runId}/comparison${query}`),
  };
}

export const baselineOf = ({ id }: { id: string }): string => id;
