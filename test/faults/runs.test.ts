import { expect, test } from '@jest/globals';
import { playEach } from './playEach.ts';
import { runScenarios } from './runScenarios.ts';

const played = playEach(runScenarios);

test('a seed replays exactly', async () => {
  const { player } = played;
  const [scenario] = runScenarios;
  if (scenario === undefined) throw new Error('There is no scenario');
  const first = await player.play(scenario, 3);
  expect(await player.play(scenario, 3)).toEqual(first);
  expect((await player.play(scenario, 4)).fingerprint).not.toBe(first.fingerprint);
});
