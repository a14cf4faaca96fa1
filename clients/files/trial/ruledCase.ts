import type { RuledCase } from '../../../shared/scoring/engine/cases.ts';
import type { SuiteScorer } from '../../../shared/scoring/kit/types.ts';
import type { CaseFields } from '../resolve/cases.ts';
import type { ScorerFields } from '../resolve/scorers.ts';

/** Its key is its id. */
export interface LocalCase extends RuledCase {
  readonly advisory: boolean;
}

/** A case of a file as the engine scores it. */
export const ruledCase = (
  fields: CaseFields,
  scorers: ReadonlyMap<string, ScorerFields>,
  nowMs: number,
): LocalCase => ({
  ...fields,
  id: fields.key,
  advisory: isAdvisory(fields, nowMs),
  scorer: scorerOf(scorers.get(fields.scorer)),
});

const isAdvisory = ({ advisory }: CaseFields, nowMs: number): boolean =>
  advisory !== null && nowMs < Date.parse(advisory.expires_at);

const scorerOf = (fields: ScorerFields | undefined): SuiteScorer | null =>
  fields === undefined ? null : { ...fields, id: fields.key };
