import type { Bench } from './result.ts';

/** Loaded only in the process that runs the bench. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  scoring: async () => (await import('./scoring.ts')).benchScoring,
  runs: async () => (await import('./runs.ts')).benchRuns,
  trust: async () => (await import('./trust/trust.ts')).benchTrust,
  cost: async () => (await import('./cost/cost.ts')).benchCost,
  clients: async () => (await import('./clients/clients.ts')).benchClients,
  bundles: async () => (await import('./bundles.ts')).benchBundles,
};

export const BENCH_NAMES = Object.keys(BENCHES);

export async function benchOf(name: string): Promise<Bench> {
  const load = BENCHES[name];
  if (load === undefined)
    throw new Error(`There is no bench "${name}": there are ${BENCH_NAMES.join(', ')}.`);
  return load();
}
