import type { CaseRules } from '../../shared/domain/suites/gates/rules.ts';

/** Those of a case that says nothing about them. */
export const plainRules = (key: string): CaseRules => ({
  key,
  tags: [],
  must_pass: false,
  sample_count: 1,
  sample_pass_rate: 1,
  advisory_until: null,
});
