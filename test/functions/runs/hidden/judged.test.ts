import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../../../support/api.ts';
import { type OwnStage, startOwnStage } from '../../../support/ownStage.ts';
import { failure, verdict } from '../../../support/providers.ts';
import { ended } from '../../../support/stage.ts';
import { makeKey } from '../../apiKeys/organisation.ts';
import { makeJudgedGate } from '../../judged/gate.ts';
import { resultsOf } from '../gate.ts';
import { seen } from './world.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

const scored = (score: number) => verdict({ score, reasoning: `It is worth ${score}.` });

test.each([
  ['fails', scored(0), 1],
  ['cannot be judged', failure(400), 1],
])(
  'runs in which a model finds that one case %s have the same answers, whichever it was',
  async (_, bad, failed) => {
    const gate = await makeJudgedGate(stage, {
      count: 3,
      suite: { show_results: false, pass_threshold: 0.5 },
    });
    const job = api(stage.service.baseUrl, (await makeKey(gate.client, { scope: 'run' })).key);
    const answers: string[][] = [];
    for (const place of [0, 2]) {
      // No verdict is remembered of another output.
      const output = `Paris ${place}`;
      stage.providers.reset();
      stage.providers.next('openai', ...[0, 1, 2].map((call) => (call === place ? bad : scored(1))));
      const ran = await job('POST', '/v1/run', { suite: gate.suite.slug, output });
      const { id } = ran.body;
      const run = await ended(gate.client, id);
      expect(run).toMatchObject({ failed_cases: failed, judge_usage: { calls: 3 }, results_hidden: true });
      expect(await resultsOf(gate.client, id)).toHaveLength(3);
      const read = await job('GET', `/v1/runs/${id}`);
      expect(read.body.data.judge_usage).toBeNull();
      answers.push([ran, read, await job('GET', `/v1/runs/${id}/results`)].map(seen));
    }
    expect(answers[1]).toEqual(answers[0]);
  },
);
