import type { Definition } from '../../../shared/contracts/definitions.ts';
import { withDefaults } from '../../../shared/scoring/registry.ts';
import { CASE_DEFAULTS, SCORER_DEFAULTS, SUITE_DEFAULTS } from '../push/sentDefinition.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A case, a scorer or a suite with every field that it has. */
export interface Meant {
  readonly key: string;
  readonly fields: Fields;
}

export interface MeantScorer extends Meant {
  /** As the service told it. */
  readonly config: Fields;
  /** With every field of its type. */
  readonly wholeConfig: Fields;
}

type ToldScorer = Definition['scorers'][string];

export function meantSuite({ version: _, suite, scorers: __, cases: ___, ...told }: Definition): Meant {
  return { key: suite, fields: { ...SUITE_DEFAULTS, name: suite, ...told } };
}

export const meantCase = ({ key, ...told }: Definition['cases'][number]): Meant => ({
  key,
  fields: { ...CASE_DEFAULTS, name: key, ...told },
});

export function meantScorer(key: string, { config, ...told }: ToldScorer): MeantScorer {
  return {
    key,
    fields: { ...SCORER_DEFAULTS, name: key, ...told },
    config,
    wholeConfig: withDefaults({ type: told.type, config }) as Fields,
  };
}
