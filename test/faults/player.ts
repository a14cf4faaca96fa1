import { deepStrictEqual } from 'node:assert';
import { writeSync } from 'node:fs';
import { type Engines, embeddedEngines, enginesInMemory } from './engines.ts';
import { type Ended, play, type Scenario } from './scenario.ts';

export interface Player {
  /** Plays the requested seeds in memory, each on its own table. */
  playAll(scenario: Scenario): Promise<void>;
  play(scenario: Scenario, seed: number): Promise<Ended>;
  /** Plays a seed in memory and on the embedded engine: all events must be equal. */
  playTwice(scenario: Scenario, seed: number): Promise<Ended>;
  stop(): Promise<void>;
}

const { EVALGATE_FAULT_SEEDS, EVALGATE_FAULT_SEED, EVALGATE_FAULT_FIGURES } = process.env;
const SEEDS_DEFAULT = 5;
const SEEDS_OF_LARGE = 3;
/** Of the seeds of `npm run soak` one of 12 is also played on the embedded engine, which takes ten times as long. */
const TWICE_EVERY = 12;
const isTwice = (seed: number): boolean =>
  EVALGATE_FAULT_SEED !== undefined || (EVALGATE_FAULT_SEEDS !== undefined && seed % TWICE_EVERY === 1);

/** `EVALGATE_FAULT_SEEDS` says how many, or `EVALGATE_FAULT_SEED` which one. */
function seedsOf({ isLarge = false, seeds = SEEDS_DEFAULT }: Scenario): number[] {
  if (EVALGATE_FAULT_SEED !== undefined) return [Number(EVALGATE_FAULT_SEED)];
  const length = Number(EVALGATE_FAULT_SEEDS ?? (isLarge ? SEEDS_OF_LARGE : seeds));
  return Array.from({ length }, (_, index) => index + 1);
}

export async function startPlayer(): Promise<Player> {
  const inMemory = await enginesInMemory();
  let embedded: Engines | undefined;
  const player: Player = {
    play: (scenario, seed) => play(scenario, seed, inMemory.next()),
    async playTwice(scenario, seed) {
      const ended = await player.play(scenario, seed);
      embedded ??= await embeddedEngines();
      const behindTheWire = await play(scenario, seed, embedded.next());
      deepStrictEqual(behindTheWire, ended, `${scenario.name}, seed ${seed}: the engines differ`);
      return ended;
    },
    async playAll(scenario) {
      const startedMs = Date.now();
      const ended: Ended[] = [];
      for (const seed of seedsOf(scenario)) {
        ended.push(await (isTwice(seed) ? player.playTwice(scenario, seed) : player.play(scenario, seed)));
      }
      if (EVALGATE_FAULT_FIGURES !== undefined) print(scenario, ended, Date.now() - startedMs);
    },
    async stop() {
      await inMemory.stop();
      await embedded?.stop();
    },
  };
  return player;
}

function print({ name }: Scenario, ended: readonly Ended[], ms: number): void {
  const sum = (field: 'runs' | 'given' | 'deaths' | 'calls') =>
    ended.reduce((total, one) => total + one[field], 0);
  const figures = `${sum('runs')} runs, ${sum('given')} given back, ${sum('deaths')} deaths, ${sum('calls')} calls`;
  const inFlightMax = Math.max(...ended.map((one) => one.inFlightMax));
  // Tests keep what is written to their streams for failures.
  writeSync(2, `${name}: ${ended.length} seeds, ${figures}, ${inFlightMax} at once, ${ms} ms\n`);
}
