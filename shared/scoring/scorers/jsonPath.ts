import { type Config, configSchema } from '../jsonPath/config.ts';
import type { DeterministicScorer, Guard, ScorerError } from '../kit/definition.ts';

const TIMEOUT: ScorerError = {
  code: 'JSON_PATH_TIMEOUT',
  fault: 'candidate',
  reason:
    'the assertions were not checked on this output in time: use fewer filters, `..` or simpler patterns',
};
const GUARD: Guard = { timeout: TIMEOUT, limitMs: 250 };

/** Few suites have such a scorer: its code is read with the first. */
let engine: typeof import('../jsonPath/scorer.ts') | undefined;

function loaded(): NonNullable<typeof engine> {
  if (engine === undefined) throw new Error('Paths cannot be read yet: await loadScorers first');
  return engine;
}

export const jsonPath: DeterministicScorer<Config> = {
  type: 'json_path',
  configSchema,
  errors: [TIMEOUT],
  isOneSided: true,
  readsExpected: true,
  async load() {
    engine ??= await import('../jsonPath/scorer.ts');
  },
  check: ({ assertions }, { time }) =>
    loaded().checkAssertions({ lists: [{ assertions, path: 'config.assertions' }] }, GUARD.limitMs, time),
  compile: (config) => loaded().jsonPathScorer(config, GUARD),
};
