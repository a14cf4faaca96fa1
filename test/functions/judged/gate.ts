import type { EvalCase } from '../../../shared/contracts/cases.ts';
import type { Scorer } from '../../../shared/contracts/scorers.ts';
import type { Api } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import type { ProviderName, Providers } from '../../support/providers.ts';
import { newClient, type Stage } from '../../support/stage.ts';
import { makeKey } from '../byokKeys/keys.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

type Fields = Readonly<Record<string, unknown>>;

export const ALIASES: readonly (readonly [alias: string, provider: ProviderName])[] = [
  ['openai', 'openai'],
  ['anthropic', 'anthropic'],
  ['google', 'google'],
  ['azure_openai', 'azure_openai'],
  ['provider_a', 'openai'],
  ['provider_b', 'anthropic'],
  ['provider_c', 'google'],
  ['provider_a_cloud', 'azure_openai'],
];

export const RUBRIC = 'Does the answer name the capital?';

/** The config of a judge; Azure's stand-in has to be named. */
export const judgeOf = (providers: Providers, _provider = 'openai', config: Fields = {}) => ({
  type: 'llm_judge',
  config: {
    rubric: RUBRIC,
    _provider,
    ...(['azure_openai', 'provider_a_cloud'].includes(_provider) && { model: providers.azureModel() }),
    ...config,
  },
});

let made = 0;

/** A key that no other test uses, so that each call can be assigned to its test. */
export const newRawKey = (): string => `sk-test-${++made}-${process.pid}-Zx81kLmN0pQrStUvWx`;

export interface JudgedGate extends Gate {
  readonly orgId: string;
  readonly apiKey: string;
  readonly rawKey: string;
  readonly scorer: Scorer;
  readonly cases: readonly EvalCase[];
}

interface JudgedGateOptions {
  readonly provider?: string;
  readonly config?: Fields;
  readonly scorer?: Fields;
  readonly count?: number;
  readonly suite?: Fields;
  readonly caseOf?: (index: number) => Fields;
  readonly as?: { readonly client: Api; readonly orgId: string; readonly apiKey: string };
  /** False for an organisation without one. */
  readonly key?: string | false;
}

/** An organisation with a key of its own and a suite of judged cases. */
export async function makeJudgedGate(stage: Stage, options: JudgedGateOptions = {}): Promise<JudgedGate> {
  const { provider = 'openai', count = 1, caseOf = () => ({}) } = options;
  const { client, orgId, apiKey } = options.as ?? (await newClient(stage));
  const gate = await makeGate(stage.service.baseUrl, options.suite, client);
  const rawKey = options.key || newRawKey();
  if (options.key !== false) await makeKey(client, { provider, key: rawKey });
  const scorer = await makeScorer(client, gate.project, {
    ...judgeOf(stage.providers, provider, options.config),
    ...options.scorer,
  });
  const cases: EvalCase[] = [];
  for (let index = 0; index < count; index++) {
    const fields = { name: `Judged ${index}`, input: { marker: markerOf(index) }, ...caseOf(index) };
    cases.push(await makeCase(client, gate.suite, scorer, fields));
  }
  return { ...gate, orgId, apiKey, rawKey, scorer, cases };
}

/** In a case's input, and so in each call that judges the case. */
const markerOf = (index: number): string => `<marker ${index}>`;

/** How often each case was asked about. */
export function callsByCase(providers: Providers, gate: JudgedGate): number[] {
  const calls = providers.calls.filter(({ apiKey }) => apiKey === gate.rawKey);
  return gate.cases.map((_, index) => calls.filter(({ user }) => user.includes(markerOf(index))).length);
}
