import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { startOwnTable } from '../support/ownService.ts';
import { type Ended, play, type Scenario } from './scenario.ts';
import type { Engine } from './settings.ts';

export interface Stage {
  /** Plays the seeds that were asked for, each on a table of its own. */
  playAll(scenario: Scenario): Promise<void>;
  play(scenario: Scenario, seed: number): Promise<Ended>;
  stop(): Promise<void>;
}

const { EVALGATE_FAULT_SEEDS, EVALGATE_FAULT_SEED, EVALGATE_FAULT_FIGURES } = process.env;
const SEEDS_DEFAULT = 36;

/** `EVALGATE_FAULT_SEEDS` says how many, or `EVALGATE_FAULT_SEED` which one. */
const seeds =
  EVALGATE_FAULT_SEED === undefined
    ? Array.from({ length: Number(EVALGATE_FAULT_SEEDS ?? SEEDS_DEFAULT) }, (_, index) => index + 1)
    : [Number(EVALGATE_FAULT_SEED)];

export async function startStage(): Promise<Stage> {
  const own = await startOwnTable();
  const { vaultKeyFile } = own.folder;
  writeFileSync(vaultKeyFile, randomBytes(32), { mode: 0o600 });
  let tables = 0;
  const table = (): Engine => ({
    endpoint: own.endpoint,
    tableName: `faults-${++tables}`,
    vaultKeyFile,
  });
  return {
    play: (scenario, seed) => play(scenario, seed, table()),
    async playAll(scenario) {
      const startedMs = Date.now();
      const ended: Ended[] = [];
      for (const seed of seeds) ended.push(await play(scenario, seed, table()));
      if (EVALGATE_FAULT_FIGURES !== undefined) print(scenario, ended, Date.now() - startedMs);
    },
    stop: () => own.stop(),
  };
}

function print({ name }: Scenario, ended: readonly Ended[], ms: number): void {
  const sum = (field: 'runs' | 'given' | 'deaths' | 'calls') =>
    ended.reduce((total, one) => total + one[field], 0);
  const figures = `${sum('runs')} runs, ${sum('given')} given back, ${sum('deaths')} deaths, ${sum('calls')} calls`;
  const inFlightMax = Math.max(...ended.map((one) => one.inFlightMax));
  process.stderr.write(`${name}: ${ended.length} seeds, ${figures}, ${inFlightMax} at once, ${ms} ms\n`);
}
