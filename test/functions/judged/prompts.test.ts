import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { RunResult } from '../../../shared/contracts/results/results.ts';
import { api } from '../../support/api.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { content, verdict } from '../../support/providers.ts';
import { makeGate } from '../runs/gate.ts';
import { type JudgedGate, makeJudgedGate } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterEach(() => stage.providers.reset());
afterAll(() => stage.stop());

const SHOWN_DELIMITER = 'RANDOM-AND-NEW-IN-EACH-CALL';

/** What the provider got for the newest call of a gate, with the delimiter that results show. */
function received({ rawKey }: JudgedGate): string {
  const call = stage.providers.calls.filter(({ apiKey }) => apiKey === rawKey).at(-1);
  const text = `${call?.system}\n\n${call?.user}`;
  const [, delimiter = ''] = /<<<BEGIN run_input (\S+)>>>/.exec(text) ?? [];
  return text.replaceAll(delimiter, SHOWN_DELIMITER);
}

const resultsOf = async ({ client }: Pick<JudgedGate, 'client'>, runId: string): Promise<RunResult[]> =>
  (await client('GET', `/v1/runs/${runId}/results`)).body.data;
const promptsOf = async (gate: JudgedGate, runId: string) =>
  (await resultsOf(gate, runId)).map(({ judge_prompt }) => judge_prompt);

const SCALE = [0, { score: 0.5, label: 'partly' }, { score: 1, label: 'fully', description: 'Names it.' }];

test.each<[string, object, object, object]>([
  [
    'all that there is',
    { input: { hint: 'a' }, expected: { city: 'Paris' } },
    { scale: SCALE },
    { input: { question: 'Which?' } },
  ],
  ['an input of the run alone', { input: {}, expected: 'Paris' }, {}, { input: { question: 'Which?' } }],
  ['an input of the case alone, and nothing expected', { input: { hint: 'b' } }, {}, {}],
  ['empty texts', { input: {}, expected: {} }, {}, {}],
  ['both sides, without the reasoning', { expected: '' }, { ignore_reasoning: true }, { dual: true }],
])('a judged result shows what its judge received: %s', async (_, evalCase, config, sent) => {
  const { dual = false, ...fields } = sent as { dual?: boolean };
  stage.providers.always('all', verdict(dual ? { precision: 1, recall: 0 } : { score: 0 }));
  const gate = await makeJudgedGate(stage, {
    config: { ...config },
    scorer: { dual_sided: dual },
    caseOf: () => ({ ...evalCase }),
  });
  const { id } = await gate.run('<think>Hm.</think>Lyon, \u202ethat is', fields);
  expect(await promptsOf(gate, id)).toEqual([received(gate)]);
  // As it was then.
  const shown = await promptsOf(gate, id);
  await gate.client('PATCH', `/v1/scorers/${gate.scorer.id}`, {
    config: { ...gate.scorer.config, rubric: 'Another one' },
  });
  await gate.client('PATCH', `/v1/cases/${gate.cases[0]?.id}`, { expected: 'Rome', input: { other: 'one' } });
  expect(await promptsOf(gate, id)).toEqual(shown);
});

test('it is there where the judge gave no verdict, and not where none was called or nothing is kept', async () => {
  const gate = await makeJudgedGate(stage);
  stage.providers.always('all', content('No verdict.'));
  const unread = await gate.run('Lyon');
  expect(await promptsOf(gate, unread.id)).toEqual([received(gate)]);
  stage.providers.always('all', verdict({ score: 1 }));
  expect(await promptsOf(gate, (await gate.run('Paris')).id)).toEqual([undefined]);
  await gate.client('PATCH', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, {
    keep_outputs: 'all',
  });
  expect(await promptsOf(gate, (await gate.run('Paris')).id)).toEqual([received(gate)]);
  const keyless = await makeJudgedGate(stage, { key: false });
  expect(await promptsOf(keyless, (await keyless.run('Paris')).id)).toEqual([undefined]);
  const plain = await makeGate(stage.service.baseUrl);
  await plain.add({});
  const [result] = await resultsOf(plain, (await plain.run('no')).id);
  expect(result).not.toHaveProperty('judge_prompt');
});

test('it shows excerpts of long texts, and is not for credentials of scope run', async () => {
  stage.providers.always('all', verdict({ score: 0 }));
  const gate = await makeJudgedGate(stage, {
    caseOf: () => ({ input: {}, expected: 'e'.repeat(3_000) }),
    suite: { show_expected: true },
  });
  const { id } = await gate.run('o'.repeat(3_000));
  const [prompt = ''] = await promptsOf(gate, id);
  for (const letter of ['e', 'o']) expect(prompt).toMatch(new RegExp(`\n${letter}{2000}\n`));
  const keyOf = async (scope: string) =>
    api(
      stage.service.baseUrl,
      (await gate.client('POST', '/v1/api-keys', { name: 'A key', scope })).body.data.key,
    );
  const [own] = await resultsOf({ client: await keyOf('run') }, id);
  expect(own).toHaveProperty('output_excerpt');
  expect(own).not.toHaveProperty('judge_prompt');
  for (const scope of ['read', 'suites'])
    expect((await resultsOf({ client: await keyOf(scope) }, id))[0]?.judge_prompt).toBe(prompt);
});
