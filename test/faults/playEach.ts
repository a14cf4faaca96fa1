import { afterAll, beforeAll, test } from '@jest/globals';
import { type Stage, startStage } from './engine.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;

/** One test for each scenario, with all the seeds that were asked for. */
export function playEach(scenarios: readonly Scenario[]): { readonly stage: Stage } {
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
  return {
    get stage() {
      return stage;
    },
  };
}
