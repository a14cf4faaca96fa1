import { expect } from '@jest/globals';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import type { Project } from '../../../../shared/contracts/projects.ts';
import type { Scorer } from '../../../../shared/contracts/scorers.ts';
import type { Suite } from '../../../../shared/contracts/suites.ts';
import { type Api, type ApiAnswer, signUp } from '../../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../../support/builders.ts';
import { resultsOf } from '../gate.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Key = 'a' | 'b' | 'c' | 'd';
export type Item = Fields & { readonly case: string };

export const KEYS: readonly Key[] = ['a', 'b', 'c', 'd'];
export const DIGEST = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);

/** What the cases of these keys expect. */
export const right = (...keys: readonly string[]): Item[] => keys.map((key) => ({ case: key, output: key }));
export const ALL = right(...KEYS);

/** A suite `t` of four exact_match cases, each of which expects its own key; three of them clear it. */
export interface Trust {
  readonly client: Api;
  readonly project: Project;
  readonly suite: Suite;
  readonly scorer: Scorer;
  readonly cases: Readonly<Record<Key, EvalCase>>;
  send(outputs: unknown, fields?: Fields): Promise<ApiAnswer>;
  /** The verdict, of outputs that are taken. */
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is for the test to judge
  run(outputs: readonly Item[], fields?: Fields): Promise<any>;
  patchCase(key: Key, fields: Fields): Promise<EvalCase>;
  patchSuite(fields: Fields): Promise<void>;
  digest(): Promise<string>;
  /** What a refused request may not change. */
  counted(): Promise<{ usage: number; runs: number }>;
}

export async function makeTrust(baseUrl: string, suiteFields: Fields = {}, as?: Api): Promise<Trust> {
  const client = as ?? (await signUp(baseUrl));
  const project = await makeProject(client, { name: 'Trust', slug: 'trust' });
  const suite = await makeSuite(client, project, { slug: 't', pass_threshold: 0.6, ...suiteFields });
  const scorer = await makeScorer(client, project, { name: 'eq' });
  const made: [Key, EvalCase][] = [];
  for (const key of KEYS) {
    made.push([key, await makeCase(client, suite, scorer, { name: `Case ${key}`, key, expected: key })]);
  }
  const cases = Object.fromEntries(made) as Trust['cases'];
  const send: Trust['send'] = (outputs, fields) =>
    client('POST', '/v1/run', { suite: 't', outputs, ...fields });
  const done = (answer: ApiAnswer) => {
    if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    client,
    project,
    suite,
    scorer,
    cases,
    send,
    run: async (outputs, fields) => done(await send(outputs, fields)),
    patchCase: async (key, fields) => done(await client('PATCH', `/v1/cases/${cases[key].id}`, fields)).data,
    patchSuite: async (fields) => done(await client('PATCH', '/v1/projects/trust/suites/t', fields)),
    digest: async () => done(await client('GET', `/v1/suites/${suite.id}/revision`)).data.digest,
    counted: async () => ({
      usage: done(await client('GET', '/v1/billing/usage')).current_usage,
      runs: done(await client('GET', `/v1/suites/${suite.id}/runs`)).pagination.total,
    }),
  };
}

/** By the key of the case. */
export async function resultsByKey({ client }: Pick<Trust, 'client'>, runId: string) {
  return Object.fromEntries((await resultsOf(client, runId)).map((result) => [result.key, result]));
}

/** Of a gate by its name. */
export function gateOf(verdict: { verdict: { gates: { gate: string }[] } }, name: string) {
  return verdict.verdict.gates.find(({ gate }) => gate === name);
}
