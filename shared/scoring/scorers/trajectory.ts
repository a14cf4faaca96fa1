import type { DeterministicScorer, Guard, ScorerError } from '../kit/definition.ts';
import { type Config, configSchema } from '../trajectory/config.ts';

const TIMEOUT: ScorerError = {
  code: 'TRAJECTORY_TIMEOUT',
  fault: 'candidate',
  reason: 'the trace was not compared with the expected calls in time: use fewer or simpler assertions',
};
const GUARD: Guard = { timeout: TIMEOUT, limitMs: 250 };

/** Few suites have such a scorer: its code is read with the first. */
let engine: typeof import('../trajectory/scorer.ts') | undefined;

function loaded(): NonNullable<typeof engine> {
  if (engine === undefined) throw new Error('Traces cannot be scored yet: await loadScorers first');
  return engine;
}

/** Which tools an agent called, with what, and in which order. */
export const trajectory: DeterministicScorer<Config> = {
  type: 'trajectory',
  configSchema,
  errors: [TIMEOUT],
  readsExpected: true,
  readsTrace: true,
  async load() {
    engine ??= await import('../trajectory/scorer.ts');
  },
  check: (config, options) => loaded().issuesOf(config, GUARD.limitMs, options),
  compile: (config, options) => loaded().trajectoryScorer(config, GUARD, options),
};
