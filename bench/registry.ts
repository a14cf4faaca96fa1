import type { Bench } from './result.ts';

/** Loaded only in the process that runs the bench. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  scoring: async () => (await import('./scoring/scoring.ts')).benchScoring,
  trajectory: async () => (await import('./scoring/trajectories.ts')).benchTrajectory,
  runs: async () => (await import('./runs.ts')).benchRuns,
  outputs: async () => (await import('./outputs/outputs.ts')).benchOutputs,
  pushes: async () => (await import('./pushes.ts')).benchPushes,
  pages: async () => (await import('./pages.ts')).benchPages,
  async: async () => (await import('./async.ts')).benchAsync,
  trust: async () => (await import('./trust/trust.ts')).benchTrust,
  credentials: async () => (await import('./credentials.ts')).benchCredentials,
  cost: async () => (await import('./cost/cost.ts')).benchCost,
  scale: async () => (await import('./scale/scale.ts')).benchScale,
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
