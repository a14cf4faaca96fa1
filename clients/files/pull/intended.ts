import type { Definition } from '../../../shared/contracts/definitions.ts';
import { withDefaults } from '../../../shared/scoring/registry.ts';
import { CASE_DEFAULTS, SCORER_DEFAULTS, SUITE_DEFAULTS } from '../resolve/sentDefinition.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A case, a scorer or a suite with every field that it has. */
export interface Intended {
  readonly key: string;
  readonly fields: Fields;
}

export interface IntendedScorer extends Intended {
  /** As the service answered it. */
  readonly config: Fields;
  /** With every field of its type. */
  readonly completeConfig: Fields;
}

type SentScorer = Definition['scorers'][string];

export function intendedSuite({
  version: _,
  suite,
  scorers: __,
  cases: ___,
  ...given
}: Definition): Intended {
  return { key: suite, fields: { ...SUITE_DEFAULTS, name: suite, ...given } };
}

export const intendedCase = ({ key, ...given }: Definition['cases'][number]): Intended => ({
  key,
  fields: { ...CASE_DEFAULTS, name: key, ...given },
});

export function intendedScorer(key: string, { config, ...given }: SentScorer): IntendedScorer {
  return {
    key,
    fields: { ...SCORER_DEFAULTS, name: key, ...given },
    config,
    completeConfig: withDefaults({ type: given.type, config }) as Fields,
  };
}
