import type { Scorer } from '../../../shared/contracts/scorers.ts';
import type { Provider } from '../../../shared/domain/byok/providers.ts';
import { plainRules } from '../../../shared/domain/suites/bar/rules.ts';
import type { PlannedCase } from '../../../shared/domain/suites/plannedCase.ts';

export const AT = '2026-05-05T10:00:00.000Z';

const scorerAt = (provider: Provider): Scorer => ({
  ...{
    id: 'a scorer',
    project_id: 'a project',
    key: 'helpful',
    name: 'Helpful',
    type: 'llm_judge',
    dual_sided: false,
  },
  config: { rubric: 'The answer helps.', _provider: provider },
  ...{ precision_threshold: null, recall_threshold: null, created_at: AT, updated_at: AT },
});

export function judgedCases(count: number, providers: readonly Provider[]): PlannedCase[] {
  const scorers = providers.map(scorerAt);
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: `case ${index}`, name: `Case ${index}`, input: {}, expected: null },
    ...{ threshold: 0.5, weight: 1, scorer: scorers[index % scorers.length] ?? null },
    ...plainRules(`case ${index}`),
  }));
}
