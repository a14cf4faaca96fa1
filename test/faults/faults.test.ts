import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Stage, startStage } from './engine.ts';
import { scenarios } from './scenarios.ts';

const HOUR_MS = 3_600_000;
let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.stop());

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  'whatever fails, every invariant holds: %s',
  (_, scenario) => stage.playAll(scenario),
  HOUR_MS,
);

test('a seed replays exactly', async () => {
  const [scenario] = scenarios;
  if (scenario === undefined) throw new Error('There is no scenario');
  const first = await stage.play(scenario, 3);
  expect(await stage.play(scenario, 3)).toEqual(first);
  expect((await stage.play(scenario, 4)).fingerprint).not.toBe(first.fingerprint);
});
