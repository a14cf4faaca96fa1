import { processorMs } from '../../shared/scoring/kit/guard.ts';

const ROWS = Array.from({ length: 40_000 }, (_, at) => ({
  key: `k${at}`,
  case: at,
  output: 'x'.repeat(at % 50),
}));
const ROUNDS = 4;
/** On two cores of 2026 that do nothing else. */
const USUAL_MS = 100;

/**
 * How many times as long this machine takes now as one that does nothing else: caches, cores and their clock are shared, so
 * that other work makes each piece of work cost more of the processor's time, too.
 */
export function slowdown(): number {
  const text = JSON.stringify(ROWS);
  const startMs = processorMs();
  for (let round = 0; round < ROUNDS; round++) JSON.stringify(JSON.parse(text));
  return Math.max(1, (processorMs() - startMs) / USUAL_MS);
}
