import type { Api, ApiAnswer } from '../../support/api.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const WORDS = ['one', 'two', 'three', 'four'];

export interface BaselineGate {
  readonly gate: Gate;
  accept(runIds: readonly string[], fields?: object): Promise<ApiAnswer>;
  current(): Promise<ApiAnswer>;
  listed(query?: string): Promise<ApiAnswer>;
  remove(): Promise<ApiAnswer>;
  comparison(runId: string, query?: string): Promise<ApiAnswer>;
}

interface Makes {
  readonly words?: readonly string[];
  /** Of each case. */
  readonly fields?: (at: number) => object;
  readonly as?: Api;
}

/** A suite with a case for each word, which passes where the output says the word. */
export async function makeBaselineGate(
  url: string,
  suiteFields: Readonly<Record<string, unknown>> = {},
  { words = WORDS, fields = () => ({}), as }: Makes = {},
): Promise<BaselineGate> {
  const gate = await makeGate(url, suiteFields, as);
  const { client, project, suite } = gate;
  const scorers = words.map((word) => [word, { type: 'contains', config: { values: [word] } }] as const);
  const definition = {
    version: 1,
    suite: suite.slug,
    name: suite.name,
    pass_threshold: 1,
    ...suiteFields,
    scorers: Object.fromEntries(scorers),
    cases: words.map((word, at) => ({
      key: `says-${word}`,
      name: `Says ${word}`,
      scorer: word,
      input: {},
      ...fields(at),
    })),
  };
  const path = `/v1/projects/${project.slug}/suites/${suite.slug}/definition`;
  const pushed = await client('PUT', path, { definition });
  if (pushed.status !== 200) throw new Error(`pushing: ${JSON.stringify(pushed.body)}`);
  return {
    gate,
    accept: (run_ids, more) => client('POST', `/v1/suites/${suite.id}/baselines`, { run_ids, ...more }),
    current: () => client('GET', `/v1/suites/${suite.id}/baseline`),
    listed: (query = '') => client('GET', `/v1/suites/${suite.id}/baselines${query}`),
    remove: () => client('DELETE', `/v1/suites/${suite.id}/baseline`),
    comparison: (runId, query = '') => client('GET', `/v1/runs/${runId}/comparison${query}`),
  };
}
