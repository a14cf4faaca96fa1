import { expect, test } from '@jest/globals';
import { heldKeyScenarios } from './heldKeyScenarios.ts';
import { lossScenarios } from './lossScenarios.ts';
import { playEach } from './playEach.ts';
import { pushScenarios } from './pushScenarios.ts';
import { runScenarios } from './runScenarios.ts';
import type { Scenario } from './scenario.ts';
import { stormScenarios } from './stormScenarios.ts';

const played = playEach([...runScenarios, ...lossScenarios, ...stormScenarios, ...heldKeyScenarios]);
const [waitedFor] = runScenarios as [Scenario];

test('a seed replays exactly', async () => {
  const first = await played.player.play(waitedFor, 3);
  expect(await played.player.play(waitedFor, 3)).toEqual(first);
  expect((await played.player.play(waitedFor, 4)).fingerprint).not.toBe(first.fingerprint);
});

test.each([waitedFor, ...pushScenarios.slice(-1)])(
  'the embedded engine takes the same course as the one in memory: $name',
  async (scenario) => void (await played.player.playTwice(scenario, 1)),
);
