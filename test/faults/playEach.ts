import { afterAll, beforeAll, test } from '@jest/globals';
import { type Player, startPlayer } from './player.ts';
import type { Scenario } from './scenario.ts';

const HOUR_MS = 3_600_000;

/** One test for each scenario, with all requested seeds. */
export function playEach(scenarios: readonly Scenario[]): { readonly player: Player } {
  let player: Player;
  beforeAll(async () => {
    player = await startPlayer();
  });
  afterAll(() => player.stop());
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'every invariant holds under injected failures: %s',
    (_, scenario) => player.playAll(scenario),
    HOUR_MS,
  );
  return {
    get player() {
      return player;
    },
  };
}
