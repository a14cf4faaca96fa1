import { deepStrictEqual } from 'node:assert';
import { startEngines } from './engines.ts';
import { type Ended, play, type Scenario } from './scenario.ts';

export interface Player {
  /** Plays the requested seeds, each on its own table. */
  playAll(scenario: Scenario): Promise<void>;
  play(scenario: Scenario, seed: number): Promise<Ended>;
  /** Plays a seed in memory and on the embedded engine: all events must be equal. */
  playTwice(scenario: Scenario, seed: number): Promise<Ended>;
  stop(): Promise<void>;
}

const { EVALGATE_FAULT_SEEDS, EVALGATE_FAULT_SEED, EVALGATE_FAULT_FIGURES } = process.env;
const SEEDS_DEFAULT = 12;
/** One seed of 12 is also played on the embedded engine, which takes ten times as long. */
const TWICE_EVERY = 12;

/** `EVALGATE_FAULT_SEEDS` says how many, or `EVALGATE_FAULT_SEED` which one. */
const seeds =
  EVALGATE_FAULT_SEED === undefined
    ? Array.from({ length: Number(EVALGATE_FAULT_SEEDS ?? SEEDS_DEFAULT) }, (_, index) => index + 1)
    : [Number(EVALGATE_FAULT_SEED)];

export async function startPlayer(): Promise<Player> {
  const engines = await startEngines();
  const player: Player = {
    play: (scenario, seed) => play(scenario, seed, engines.inMemory()),
    async playTwice(scenario, seed) {
      const ended = await player.play(scenario, seed);
      const behindTheWire = await play(scenario, seed, engines.embedded());
      deepStrictEqual(behindTheWire, ended, `${scenario.name}, seed ${seed}: the engines differ`);
      return ended;
    },
    async playAll(scenario) {
      const startedMs = Date.now();
      const ended: Ended[] = [];
      for (const seed of seeds) {
        const isTwice = seed % TWICE_EVERY === 1 || seeds.length === 1;
        ended.push(await (isTwice ? player.playTwice(scenario, seed) : player.play(scenario, seed)));
      }
      if (EVALGATE_FAULT_FIGURES !== undefined) print(scenario, ended, Date.now() - startedMs);
    },
    stop: () => engines.stop(),
  };
  return player;
}

function print({ name }: Scenario, ended: readonly Ended[], ms: number): void {
  const sum = (field: 'runs' | 'given' | 'deaths' | 'calls') =>
    ended.reduce((total, one) => total + one[field], 0);
  const figures = `${sum('runs')} runs, ${sum('given')} given back, ${sum('deaths')} deaths, ${sum('calls')} calls`;
  const inFlightMax = Math.max(...ended.map((one) => one.inFlightMax));
  process.stderr.write(`${name}: ${ended.length} seeds, ${figures}, ${inFlightMax} at once, ${ms} ms\n`);
}
