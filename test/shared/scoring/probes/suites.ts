import fc from 'fast-check';
import type { Gates } from '../../../../shared/contracts/gates.ts';
import type { RuledCase } from '../../../../shared/scoring/engine/cases.ts';
import type { SuiteScorer } from '../../../../shared/scoring/kit/types.ts';
import { barFindings } from '../../../../shared/scoring/probes/barWarnings.ts';

export interface ProbedCase extends RuledCase {
  readonly advisory: boolean;
}

export const scorer = (type: string, config: object = {}, more: Partial<SuiteScorer> = {}): SuiteScorer => ({
  id: JSON.stringify([type, config, more]),
  type,
  config,
  dual_sided: false,
  precision_threshold: null,
  recall_threshold: null,
  ...more,
});

let made = 0;
export const caseOf = (own: SuiteScorer | null, fields: Partial<ProbedCase> = {}): ProbedCase => {
  const key = fields.key ?? `case-${++made}`;
  return {
    id: key,
    name: key,
    expected: null,
    threshold: 0.5,
    weight: 1,
    scorer: own,
    tags: [],
    must_pass: false,
    sample_count: 1,
    sample_pass_rate: 1,
    advisory: false,
    ...fields,
    key,
  };
};

export const findingsOf = (cases: readonly ProbedCase[], passThreshold = 1, gates: Gates = {}) =>
  barFindings(cases, { passThreshold, gates }, ({ advisory }) => advisory);

export const codesOf = async (...suite: Parameters<typeof findingsOf>) =>
  (await findingsOf(...suite)).map(({ code }) => code);

/** That an empty answer passes. */
export const WEAK: readonly SuiteScorer[] = [
  scorer('regex', { pattern: 'password', should_match: false }),
  scorer('contains', { values: ['as an AI'], mode: 'none' }),
  scorer('regex', { pattern: '^[^!]{0,400}$' }),
];
/** That only content passes. */
export const STRONG: readonly SuiteScorer[] = [
  scorer('contains', { values: ['30 days'] }),
  scorer('regex', { pattern: 'refund(ed)? within' }),
  scorer('json_path', { assertions: [{ path: '$.total', op: 'exists' }] }),
];

export const casesWith = (some: readonly SuiteScorer[], minLength = 1, fields: Partial<ProbedCase> = {}) =>
  fc
    .array(fc.tuple(fc.constantFrom(...some), fc.integer({ min: 1, max: 5 }), fc.constantFrom(1, 3)), {
      minLength,
      maxLength: 6,
    })
    .map((all) => all.map(([own, weight, sample_count]) => caseOf(own, { weight, sample_count, ...fields })));
